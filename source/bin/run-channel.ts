import {randomBytes} from 'node:crypto';
import path from 'node:path';
import {createFiles} from '../drivers/files.ts';
import {ask, offerTo} from '../drivers/reactor-channel/ask.ts';
import {askSelf} from '../drivers/spawn-self.ts';
import {locateColony} from '../host/locate-colony.ts';
import type {Emitted, ReceivedAnswer, RunChannel} from '../mcp/run-channel.ts';
import {awaitAnswerInside, isContained} from '../wire/await-answer-inside.ts';
import {findInsideRun} from '../wire/inside-run.ts';
import {leaveEvent} from '../wire/leave-event.ts';
import {eventIdVariable} from './offer-event.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds before the next try to reach a reactor. */
const seekMs = 100;
/** Milliseconds after which a request that waits for an answer is sent again, in case its reactor hangs. */
const renewMs = 60_000;

/** The channel to the hive around this process. Undefined outside any run. */
export const channelOf = async (env: Environment, cwd: string): Promise<RunChannel | undefined> => {
	const colony = locateColony(env, cwd) ?? (await readColony(env, cwd));
	if (colony === undefined) return undefined;
	const {root, socket, machineFolder} = colony;
	const inside = await findInsideRun(env, root);
	if (inside === undefined) return undefined;
	const {traceId, agentId} = inside;
	const files = createFiles();
	const at = (name: string): string => path.join(root, name);
	const emit: RunChannel['emit'] = async (event, id) => {
		const text = JSON.stringify(event);
		const offered = await offerTo(socket, {text, traceId, agentId, busUrl: env.HIVE_BUS_URL}, id);
		return readEmitted(offered?.ok ? offered.value : undefined) ?? emitAlone(text, id, {env, cwd});
	};
	return {
		...{traceId, agentId, root, taskId: env.HIVE_TASK_ID ?? '', pause, emit},
		eventId: () => `${Date.now().toString(16).padStart(12, '0')}${randomBytes(8).toString('hex')}`,
		leave: (event, id) => {
			if (!leaveEvent(root, inside, event, id)) void emit(event, id);
		},
		answer: async (questionId, signal) => {
			if (isContained()) return awaitAnswerInside(root, inside, questionId, signal);
			while (!signal.aborted) {
				const reply = await ask(socket, {op: 'answer', traceId, questionId}, renewMs, signal);
				if (reply?.ok && isObject(reply.value)) return reply.value as ReceivedAnswer;
				await pause(seekMs, signal);
			}
			return undefined;
		},
		isAllowed: async (tool, input) => {
			// Most runs never ask for a permission.
			const {createPermissions, isSame} = await import('../colony/permissions.ts');
			const kept = await createPermissions(files, machineFolder)
				.list()
				.catch(() => []);
			return kept.some(one => isSame(one, {tool, arguments: input}));
		},
		read: name => files.read(at(name)),
		list: name => files.list(at(name)),
	};
};

/**
 * Finds a colony whose files need YAML or git to be read. Undefined outside any colony, where only a
 * person can be; inside a run the error is thrown.
 */
const readColony = async (env: Environment, cwd: string): Promise<ReturnType<typeof locateColony>> => {
	const [{findRoot}, {findFolder}] = await Promise.all([
		import('../wire/find-root.ts'),
		import('../wire/find-folder.ts'),
	]);
	try {
		const root = env.HIVE_COLONY_ROOT || (await findRoot(cwd));
		const machineFolder = await findFolder(env, root);
		return {root, machineFolder, socket: path.join(machineFolder, 'reactor.sock')};
	} catch (error) {
		if (env.HIVE_AGENT_ID) throw error;
		return undefined;
	}
};

/**
 * Emits without a reactor, as the command does: into the log, or from a sandbox into the spool. It keeps the
 * id, since a reactor may have died between the append and its answer.
 */
const emitAlone = async (
	text: string,
	id: string,
	{env, cwd}: {readonly env: Environment; readonly cwd: string},
): Promise<Emitted> => {
	const {output, exitCode} = await askSelf(['event', 'emit', '--stdin'], {
		...{cwd, input: text},
		env: {...env, [eventIdVariable]: id},
	});
	try {
		return {exit: exitCode, json: JSON.parse(output.split('\n', 1)[0] ?? '')};
	} catch {
		return {exit: exitCode, json: {error: output.trim()}};
	}
};

const readEmitted = (value: unknown): Emitted | undefined =>
	isObject(value) && typeof value.exit === 'number' && isObject(value.json)
		? {exit: value.exit, json: value.json}
		: undefined;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

const pause = (delayMs: number, signal: AbortSignal): Promise<void> =>
	new Promise(resolve => {
		const done = (): void => {
			clearTimeout(timer);
			signal.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, delayMs);
		signal.addEventListener('abort', done);
	});
