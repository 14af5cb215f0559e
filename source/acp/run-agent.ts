import {
	type ClientContext,
	client,
	methods,
	PROTOCOL_VERSION,
	type PromptResponse,
	RequestError,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable';
import type {AcpRecord} from '../agents/acp/record.ts';
import type {McpServer} from '../agents/mcp.ts';
import {serverName} from '../agents/mcp.ts';
import {decidePermission, isKept, type Wish} from '../mcp/decide-permission.ts';
import type {RunChannel} from '../mcp/run-channel.ts';
import type {AgentProgram} from '../ports/agent-program.ts';
import {messagesOf} from './messages.ts';
import {openSession, type SessionWish} from './open-session.ts';
import {allowsForGood, bypassesNoRule, decideByRules, type Rules} from './rules.ts';
import {commandOf, createUpdates, inputOf, nameOf, pathsOf} from './updates.ts';
import {createWorkspaceFiles, RefusedFile} from './workspace-files.ts';

export type AgentRun = Pick<SessionWish, 'model' | 'mode' | 'resume' | 'servesFiles' | 'folder'> & {
	/** The agent's program, just started. */
	readonly program: AgentProgram;
	/** Its working folder: the workspace. Absolute. */
	readonly cwd: string;
	readonly prompt: string;
	readonly permissions: Rules;
	readonly server: McpServer | undefined;
	/** The file for the result of the run, which the agent may write too. */
	readonly resultFile: string | undefined;
	readonly version: string;
	/** Absent outside a run: no person can be asked. */
	readonly channel: RunChannel | undefined;
	readonly write: (record: AcpRecord) => void;
	/** Milliseconds that the agent has to open a session. */
	readonly openMs?: number;
	/** Aborted once the run is to stop. */
	readonly signal: AbortSignal;
};

/** Long enough for an agent that starts servers, and reads a long session first. */
const maxOpenMs = 300_000;
/** Milliseconds that an agent has to end after its last turn. */
const endMs = 2000;
/** A person's `--always` is kept right after the answer. */
const [keptTries, keptMs] = [20, 50];
/** Maximum number of turns that tell the agent a person's words about a denial. */
const maxFurtherTurns = 5;

/**
 * Runs an agent through the Agent Client Protocol, from the prompt to the end of its turn. Writes records,
 * the last one `end`. Returns true if the turn ended well. Never throws.
 */
export const runAgent = async (run: AgentRun): Promise<boolean> => {
	const {program, cwd, write, signal} = run;
	let ended = '';
	const end = program.ended.then(words => {
		ended = words;
	});
	const updates = createUpdates();
	const denials: string[] = [];
	let isPrompted = false;
	const writeAll = (records: readonly AcpRecord[]): void => records.forEach(write);
	const files = createWorkspaceFiles(cwd, run.resultFile);

	/** A refused file is part of what the run reports. */
	const serve = async <Value>(method: string, path: string, work: Promise<Value>): Promise<Value> => {
		try {
			return await work;
		} catch (error) {
			const text = error instanceof Error ? error.message : String(error);
			if (error instanceof RefusedFile) {
				const call = `${method} ${path}`;
				write({type: 'tool', call, name: method, input: {path}});
				write({type: 'failure', call, text, denied: true});
			}
			// Agents ask for files that are not there yet, and tell that by this error.
			const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
			throw isMissing ? RequestError.resourceNotFound(path) : new RequestError(-32_602, text);
		}
	};
	const answer = async (
		{toolCall, options}: RequestPermissionRequest,
		asking: AbortSignal,
	): Promise<RequestPermissionResponse> => {
		const {call, records} = updates.ask(toolCall);
		writeAll(records);
		const optionOf = (kind: string) => options.find(option => option.kind === kind);
		const choose = (...kinds: readonly string[]): RequestPermissionResponse => {
			const found = kinds.map(optionOf).find(Boolean);
			return {outcome: found ? {outcome: 'selected', optionId: found.optionId} : {outcome: 'cancelled'}};
		};
		const paths = pathsOf(call);
		const inside = await Promise.all(paths.map(files.isInside));
		const request = {
			...{tool: nameOf(call), kind: call.kind ?? 'other', command: commandOf(call), paths},
			isInside: inside.length > 0 && inside.every(Boolean),
		};
		const ruled = decideByRules(run.permissions, request);
		const command = request.command === undefined ? {} : {command: request.command};
		const wish = {tool: request.tool, input: {...inputOf(call), ...command}};
		const decided =
			ruled === 'ask' && run.channel !== undefined
				? await decidePermission(run.channel, wish, AbortSignal.any([asking, signal]))
				: {isAllowed: ruled === 'allow', message: 'The bee has no permission for it.'};
		const isForGood = async (): Promise<boolean> => {
			if (allowsForGood(run.permissions, request)) return true;
			const mayBeKept = ruled === 'ask' && bypassesNoRule(run.permissions, request);
			return mayBeKept && run.channel !== undefined && isKeptSoon(run.channel, wish);
		};
		if (decided.isAllowed && optionOf('allow_once')) return choose('allow_once');
		if (decided.isAllowed && (await isForGood())) return choose('allow_always');
		if (decided.isAllowed) {
			const text = `It is denied, since the agent asks for it for good alone: ${request.command ?? request.tool}`;
			write({type: 'warning', text});
		}
		updates.deny(call.id);
		if ('hasWords' in decided) denials.push(`${request.command ?? request.tool}: ${decided.message}`);
		return choose('reject_once', 'reject_always');
	};
	const connection = client({name: 'hive'})
		.onNotification(methods.client.session.update, ({params}) => {
			// Before the prompt an agent repeats the session that it loads.
			if (isPrompted) writeAll(updates.take(params.update));
		})
		.onRequest(methods.client.session.requestPermission, ({params, signal: asking}) => answer(params, asking))
		.onRequest(methods.client.fs.readTextFile, async ({params: {path, line, limit}}) => ({
			content: await serve(
				'fs/read_text_file',
				path,
				files.read(path, {from: line ?? null, count: limit ?? null}),
			),
		}))
		.onRequest(methods.client.fs.writeTextFile, async ({params: {path, content}}) => {
			await serve('fs/write_text_file', path, files.write(path, content));
			return {};
		})
		.onRequest('*', ({method}) => {
			write({type: 'warning', text: `The agent asked for ${method}, which hive does not serve.`});
			throw RequestError.methodNotFound(method);
		})
		.connect(
			messagesOf(program.output, program.input, line =>
				write({type: 'warning', text: `The agent wrote a line that is no message: ${line.slice(0, 200)}`}),
			),
		);
	const {agent} = connection;
	const talk = async (): Promise<string | undefined> => {
		const opening = openSession(agent, {
			...run,
			protocolVersion: PROTOCOL_VERSION,
			servers: serversOf(run.server),
			warn: text => write({type: 'warning', text}),
		});
		const session = await within(opening, run.openMs ?? maxOpenMs);
		write(session.record);
		const {sessionId} = session;
		signal.addEventListener(
			'abort',
			() => void agent.notify(methods.agent.session.cancel, {sessionId}).catch(() => {}),
		);
		isPrompted = true;
		let text = run.prompt;
		for (let turns = 0; ; turns += 1) {
			denials.length = 0;
			const response = await promptOnce(agent, sessionId, text);
			writeAll(updates.finish());
			const usage = usageOf(response, updates.cost());
			if (usage !== undefined) write(usage);
			const isDenied = denials.length > 0 && turns < maxFurtherTurns;
			if (!isDenied || signal.aborted) return errorOf(response);
			text = `A person did not permit this:\n${denials.join('\n')}\nGo on without it. If your work needs it, say so at its end.`;
		}
	};
	try {
		const error = await talk();
		write({type: 'end', ...(error !== undefined && {error})});
		return error === undefined;
	} catch (error) {
		// The connection closes shortly before the end of the program is known.
		await Promise.race([end, pause(200)]);
		writeAll(updates.finish());
		write({type: 'end', error: reasonOf(error, ended, program.errors())});
		return false;
	} finally {
		connection.close();
		program.input.end();
		await Promise.race([end, pause(signal.aborted ? 0 : endMs)]);
		if (ended === '') program.kill('SIGTERM');
		await Promise.race([end, pause(endMs)]);
		if (ended === '') program.kill('SIGKILL');
	}
};

/** Some agents never answer, such as one whose own tool is too old for it. */
const within = async <Value>(opening: Promise<Value>, limitMs: number): Promise<Value> => {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		const error = new Error(`The agent opened no session within ${limitMs / 1000} s`);
		timer = setTimeout(() => reject(error), limitMs);
	});
	try {
		return await Promise.race([opening, late]);
	} finally {
		clearTimeout(timer);
	}
};

const isKeptSoon = async (channel: RunChannel, wish: Wish): Promise<boolean> => {
	for (let tries = 0; tries < keptTries; tries += 1) {
		if (await isKept(channel, wish)) return true;
		await pause(keptMs);
	}
	return false;
};

const promptOnce = async (agent: ClientContext, sessionId: string, text: string): Promise<PromptResponse> => {
	const response = await agent.request(methods.agent.session.prompt, {
		sessionId,
		prompt: [{type: 'text', text}],
	});
	// Updates that came before the response are handled after it.
	await new Promise(resolve => setImmediate(resolve));
	return response;
};

const serversOf = (server: McpServer | undefined) =>
	server === undefined
		? []
		: [
				{
					name: serverName,
					command: server.command,
					args: [...server.args],
					env: Object.entries(server.env).map(([name, value]) => ({name, value})),
				},
			];

/** Some agents count the cache among their input tokens, as their total shows. */
const usageOf = ({usage}: PromptResponse, costUsd: number | undefined): AcpRecord | undefined => {
	if (usage == null) return undefined;
	const {inputTokens, outputTokens, totalTokens} = usage;
	const [read, written] = [usage.cachedReadTokens ?? 0, usage.cachedWriteTokens ?? 0];
	const isWithout = totalTokens >= inputTokens + outputTokens + read + written;
	return {
		type: 'usage',
		...{inputTokens: isWithout ? inputTokens : Math.max(0, inputTokens - read - written), outputTokens},
		...{cacheReadTokens: read, cacheWriteTokens: written},
		...(costUsd !== undefined && {costUsd}),
	};
};

const endings: Readonly<Record<string, string>> = {
	max_tokens: 'the agent reached the limit of tokens of its model',
	max_turn_requests: 'the agent reached its limit of model calls in a turn',
	refusal: 'the agent refused to go on',
	cancelled: 'the turn was cancelled',
};

const errorOf = ({stopReason}: PromptResponse): string | undefined =>
	stopReason === 'end_turn' ? undefined : (endings[stopReason] ?? `the turn ended with ${stopReason}`);

const reasonOf = (error: unknown, ended: string, errors: string): string => {
	if (error instanceof RequestError) {
		const {details, message} = Object(error.data);
		const more = [error.data, details, message].find(one => typeof one === 'string' && one !== error.message);
		return [error.message, more].filter(Boolean).join(': ');
	}
	const text = error instanceof Error ? error.message : String(error);
	if (ended === '' || /^The agent|^It speaks/.test(text)) return text;
	const last = errors.trim().split('\n').at(-1) ?? '';
	return `the agent was gone before it was done: ${[ended, last].filter(Boolean).join('; ')}`;
};

const pause = (delayMs: number): Promise<void> =>
	new Promise(resolve => setTimeout(resolve, delayMs).unref());
