import {access, mkdir, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {adapterOf, startOf} from '../../source/agents/adapter.ts';
import {agentEnvironment} from '../../source/agents/environment.ts';
import type {Invocation} from '../../source/agents/invocation.ts';
import type {Limit} from '../../source/agents/limits.ts';
import {createOutputSummarizer} from '../../source/agents/summarize-output.ts';
import type {AdapterName} from '../../source/colony/colony.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {runPath} from '../../source/runs/layout.ts';
import {spoolOf} from '../../source/runs/spool.ts';
import {sampleInvocation} from '../agents/invocation.ts';
import {describeProcess, endHolding, processesHolding} from '../chaos/machine.ts';
import {commit, environmentWith, prepareRepository, run} from './colony-of-tool.ts';
import {type Answer, emitting, type Reply, say} from './conversation.ts';
import type {Headless} from './headless.ts';
import {askedOf} from './proof.ts';
import {type Ran, runHeadless} from './run-headless.ts';
import {startStandInModel} from './stand-in-model.ts';
import {type Place, prepareHome} from './tools.ts';

/** The result of resuming a tool's own conversation. Each field is a column of the table. */
export type ResumeProof = {
	readonly tool: string;
	/** True if the model received the earlier messages. */
	readonly heard: boolean;
	readonly edited: boolean;
	readonly emitted: boolean;
	/** The result of a write outside the workspace. It must equal the result in the first run. */
	readonly outside: 'allowed' | 'refused' | '-';
	/** Whether the conversation keeps its id. */
	readonly id: 'same' | 'new' | '-';
	/** True if the tool resumes a conversation that a usage limit interrupted. */
	readonly afterLimit: boolean;
	/** The behaviour of the tool for an unknown conversation. */
	readonly unknown: string;
	readonly seconds: number;
	/** The output of the tool in that case. */
	readonly facts: readonly string[];
	readonly faults: readonly string[];
};

const trace = 't';
/** The requests. Each has a text that no other turn has. */
const turns = {
	first: 'Greet the first bee.',
	again: 'Greet the second bee.',
	refused: 'Greet a bee and be refused.',
	after: 'Greet it after all.',
	lost: 'Greet a lost bee.',
} as const;
type Turn = keyof typeof turns;
const firstWords = 'The first bee is greeted.';
/** The text before the limit. */
const wordsBefore = 'I write for now.';

/**
 * Runs a tool as its adapter starts it, in a worktree of a colony, and resumes the conversation. The same is
 * done after a usage limit, and with an unknown conversation.
 */
export const proveResume = async (
	tool: Headless,
	{installed, home, command}: {installed: string; home: string; command: string},
): Promise<ResumeProof> => {
	const asked = new Map<Turn, string>();
	const model = await startStandInModel(playing(tool, asked));
	const colonyRoot = join(home, 'colony');
	const workspace = join(colonyRoot, '.hive/worktrees', trace);
	const place: Place = {installed, home, workspace, model: model.url};
	const begun = performance.now();
	const faults: string[] = [];
	const expectThat = (isTrue: boolean, words: string): void => {
		if (!isTrue) faults.push(words);
	};
	try {
		await prepareHome(tool, place);
		const env = await environmentWith(tool, place, 'limited');
		await prepareRepository(colonyRoot, env);
		const hive = (...args: readonly string[]) => run(process.execPath, [command, ...args], colonyRoot, env);
		await hive('init', '--agent', tool.name);
		await commit(colonyRoot, env);
		await hive('cue', 'run', 'feature', 'Greet', '--trace', trace);
		await run('git', ['worktree', 'add', '--quiet', workspace], colonyRoot, env);

		const adapter: AdapterName = tool.name === 'pi' ? 'beta' : (tool.name as AdapterName);
		const take = async (turn: Turn, resume?: string): Promise<Taken> => {
			const invocation = sampleInvocation(
				{adapter, params: {binary: tool.name}},
				{
					...{prompt: turns[turn], traceId: trace, agentId: turn, taskId: '', workspace, colonyRoot},
					runDir: join(colonyRoot, '.hive/runs', trace, turn),
					...(resume === undefined ? {} : {resume}),
				},
			);
			return runAgent(invocation, env, join(command, '../bin'));
		};
		const isThere = (path: string) =>
			access(path).then(
				() => true,
				() => false,
			);
		const isEmitted = async (turn: Turn) =>
			(await hive('replay', trace)).stdout.includes(turns[turn]) || (await isQueued(turn));
		/** No reactor watches these runs. */
		const isQueued = async (turn: Turn) => {
			const folder = spoolOf(colonyRoot, {traceId: trace, agentId: turn});
			const names = await readdir(folder).catch(() => []);
			const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
			return texts.some(text => text.includes(turns[turn]));
		};

		const first = await take('first');
		expectThat(first.isWell, `the first run failed: ${describe(first)}`);
		expectThat(await isThere(join(workspace, 'first.txt')), 'the first run wrote no file');
		expectThat(await isEmitted('first'), 'the first run emitted nothing');
		const again = await take('again', first.session);
		expectThat(again.isWell, `the resumed run failed: ${describe(again)}`);
		const heard = asked.get('again')?.includes(firstWords) === true;
		expectThat(heard, 'what was said before was not sent');
		const edited = await isThere(join(workspace, 'again.txt'));
		const emitted = await isEmitted('again');
		const [mayFirst, mayAgain] = [
			await isThere(join(home, 'first.txt')),
			await isThere(join(home, 'again.txt')),
		];
		expectThat(
			mayFirst === mayAgain,
			'the resumed run may write where the first may not, or the other way round',
		);
		expectThat(edited, 'the resumed run wrote no file');
		expectThat(emitted, 'the resumed run emitted nothing');
		const refused = await take('refused');
		expectThat(refused.limit !== undefined, `the limit is not known: ${describe(refused)}`);
		const after = await take('after', refused.session);
		const afterLimit = after.isWell && asked.get('after')?.includes(wordsBefore) === true;
		expectThat(afterLimit, `it did not go on after the limit: ${describe(after)}`);
		const lost = await take('lost', unknownFor(first.session ?? ''));
		expectThat(!lost.isWell, 'nobody can tell that there was no such conversation');
		expectThat(!asked.has('lost'), 'the model was asked without the conversation');
		for (const pid of processesHolding(home)) faults.push(`it left ${describeProcess(pid)}`);
		faults.push(...askedOf(model).faults);
		return {
			...{tool: tool.name, heard, edited, emitted, afterLimit, faults},
			outside: mayAgain ? 'allowed' : 'refused',
			id: idOf(first.session, again.session),
			unknown: `${lost.exitCode ?? lost.signal}${lost.session === undefined ? '' : ', with a session'}`,
			seconds: Math.round((performance.now() - begun) / 1000),
			facts: [`of an unknown conversation: ${describe(lost)}`],
		};
	} finally {
		endHolding(home);
		model.close();
	}
};

type Taken = Ran & {
	readonly isWell: boolean;
	readonly error: string | undefined;
	readonly session: string | undefined;
	readonly limit: Limit | undefined;
};

const runAgent = async (
	invocation: Invocation,
	parent: Readonly<Record<string, string>>,
	binDir: string,
): Promise<Taken> => {
	await mkdir(runPath(invocation.runDir, 'spool'), {recursive: true});
	const {argv, input = ''} = expectAccepted(startOf(invocation));
	const [program = '', ...args] = argv;
	const ran = await runHeadless({
		argv: [program, ...args],
		...{cwd: invocation.workspace, input},
		env: agentEnvironment(parent, invocation, {binDir, settings: () => ({}), colony: () => ({})}),
	});
	const sum = createOutputSummarizer(adapterOf(invocation.bee.adapter));
	sum.push(Buffer.from(ran.stdout));
	const isWell = ran.exitCode === 0;
	const {error, usage, limit} = sum.end(isWell, new Date().toISOString());
	return {...ran, isWell: isWell && error === undefined, error, session: usage?.toolSession, limit};
};

/** The model's side: a file, an event, a final text. */
const playing = (tool: Headless, asked: Map<Turn, string>): Reply => {
	let next: Answer[] = [];
	let now: Turn | undefined;
	return ({last, tools, whole}) => {
		if (tools.length === 0) return say('Bees');
		const turn = (Object.keys(turns) as Turn[]).find(one => !asked.has(one) && last.includes(turns[one]));
		if (turn !== undefined) {
			asked.set(turn, whole);
			now = turn;
			next = [...answers(tool, turn)];
		}
		if (now === 'refused' && next.length === 0) return tool.refusals.limit;
		return next.shift() ?? say('There is nothing left to do.');
	};
};

const answers = (tool: Headless, turn: Turn): readonly Answer[] => {
	const begin = say(wordsBefore, tool.write(`${turn}.txt`, 'Hello\n'));
	return turn === 'refused' ? [begin] : [begin, ...rest(tool, turn)];
};

const rest = (tool: Headless, turn: Turn): readonly Answer[] => [
	say('I try.', tool.run(`echo Hello > "$HOME/${turn}.txt"`)),
	say(
		'I note it.',
		tool.run(emitting({type: 'INSIGHT', payload: {kind: 'context.note', summary: turns[turn]}})),
	),
	say(firstWords),
];

/** Returns an unknown session id of the same form. */
const unknownFor = (session: string): string =>
	`${session.slice(0, -6)}${session.endsWith('000000') ? '1' : '0'}00000`;

const idOf = (one: string | undefined, other: string | undefined): ResumeProof['id'] => {
	if (one === undefined || other === undefined) return '-';
	return one === other ? 'same' : 'new';
};

const describe = ({exitCode, signal, error, session, stdout, stderr}: Taken): string =>
	`exit ${exitCode ?? signal}; error ${JSON.stringify(error)}; session ${session}; stdout ${JSON.stringify(stdout.slice(-1500))}; stderr ${JSON.stringify(stderr.slice(-700))}`;
