import {execFile} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {
	closeSync,
	constants,
	existsSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	watch,
	writeSync,
} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {onTestFinished} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {followHive} from './follow-hive.ts';
import {emitToTap, isTapped} from './log-tap.ts';
import type {NatsServer} from './nats-server.ts';
import {createRepository, type Repository} from './repository.ts';
import {builtCommand, runHive} from './run-hive.ts';
import {runLine} from './run-line.ts';
import {serverOfWorker} from './server-of-worker.ts';
import {sharedCache} from './shared-cache.ts';
import {timeoutMs, withTimeout} from './with-timeout.ts';

/** A scripted bee: the `sh` script that runs in the workspace, and other fields of its file. */
export type ScriptedBee = {readonly script: string; readonly [field: string]: unknown};

type Scene = {
	/** The server that stores the log. Without it the log is a file in the home. */
	readonly bus?: NatsServer | undefined;
	readonly bees?: Readonly<Record<string, ScriptedBee>>;
	/** The settings in `.hive/colony.yaml`. */
	readonly settings?: object;
	readonly files?: Readonly<Record<string, string>>;
};

type CallOptions = {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string;
};

export type ColonyOnDisk = Repository & {
	/** A folder of the test outside the repository, for home, notes and gates. */
	readonly home: string;
	readonly env: Readonly<Record<string, string>>;
	/** Runs the built command in the colony to its end. */
	readonly hive: (args: readonly string[], options?: CallOptions) => ReturnType<typeof runHive>;
	/**
	 * Returns the JSON document of a command that ends with the exit code `exit`, 0 by default. It runs in the
	 * process of the tests. Commands that start agents, have their own environment or run under another program
	 * use the built command.
	 */
	readonly ask: <Answer = Json>(
		args: readonly string[],
		options?: CallOptions & {readonly exit?: number},
	) => Promise<Answer>;
	/** Starts a command that keeps running and prints JSON, `hive run` by default. */
	readonly follow: (args?: readonly string[]) => ReturnType<typeof followHive>;
	/** Returns every event of a trace. */
	readonly replay: (traceId: string) => Promise<readonly Line[]>;
	/** Returns the notes that agents wrote with `note`, one per line, once there are at least `count`. */
	readonly notes: (count?: number) => Promise<readonly string[]>;
	/** Resolves once the exit of a run is recorded, whether or not a reactor collects it. */
	readonly exitOf: (traceId: string, agentId: string) => Promise<void>;
	/** Lets one agent pass that waits, or will wait, with `wait_for <gate>`. */
	readonly open: (gate: string) => Promise<void>;
};

export type Json = Record<string, unknown>;

/** One event as `replay --json` and `run --json` print it. */
export type Line = {
	readonly sequence: number;
	readonly id: string;
	readonly traceId: string;
	readonly agentId: string;
	readonly type: string;
	readonly payload: {readonly kind: string; readonly [field: string]: unknown};
};

/** The `publishes` setting of a bee that proposes in its worktree. */
export const publishesIsolated = [
	{type: 'MUTATION', kind: 'code.proposal.isolated'},
	{type: 'INSIGHT', kind: 'run.summary'},
];

/** A bee that writes one file named after its task, in a worktree. */
export const builder: ScriptedBee = {
	worktree: true,
	publishes: publishesIsolated,
	script: 'echo "made by $HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"; echo "Built $HIVE_TASK_ID"',
};

/**
 * Creates a committed colony after `hive init`, with its own home. The end of the test removes it and ends
 * its processes.
 */
export const createColony = async ({bees = {builder}, settings = {}, files = {}, bus}: Scene = {}) => {
	const server = bus ?? (await serverOfAll());
	const home = await mkdtemp(join(tmpdir(), 'hive-home-'));
	const gateFiles = join(home, 'gates');
	await mkdir(gateFiles);
	await writeFile(join(home, 'notes'), '');
	onTestFinished(async () => {
		// The gates move away, so that an agent that arrives later finds no gate and does not wait.
		const closed = join(home, 'closed');
		renameSync(gateFiles, closed);
		for (const gate of readdirSync(closed)) releaseAll(join(closed, gate));
		await rm(home, {recursive: true, force: true, maxRetries: 5});
	});
	const repository = await createRepository({
		'readme.md': 'A scratch colony.\n',
		'.hive/colony.yaml': JSON.stringify({slug: 'scratch', id: `scratch-${randomUUID()}`, ...settings}),
		...Object.fromEntries(Object.entries(bees).flatMap(([role, bee]) => beeFiles(home, role, bee))),
		...files,
	});
	const colony = openColony(repository, home, server && {HIVE_BUS_URL: server.url});
	if (isTapped()) onTestFinished(() => registerHandLogs(colony));
	await colony.ask(['init']);
	await repository.commit('hive init');
	return colony;
};

/**
 * Returns the shared server of the worker with HIVE_TEST_BUS=nats, for colonies that name no bus. Otherwise
 * the log is on this machine.
 */
const serverOfAll = async (): Promise<NatsServer | undefined> =>
	process.env.HIVE_TEST_BUS === 'nats' ? serverOfWorker() : undefined;

/** Hands the log of each trace to the tap, with placeholder folders instead of those of this machine. */
const registerHandLogs = async ({root, home, ask}: ColonyOnDisk): Promise<void> => {
	const {colony} = await ask<{colony: {slug: string}}>(['status']);
	const folder = join(home, '.config/hive', colony.slug);
	const bus = await openSqliteBus({file: join(folder, 'events.sqlite'), clock: createSystemClock()});
	for (const traceId of (await bus.heads()).keys()) {
		const log = [];
		for await (const events of bus.read({traceId, after: 0})) log.push(...events);
		const text = JSON.stringify(log).replaceAll(root, '/colony').replaceAll(home, '/ada');
		emitToTap(JSON.parse(text.replaceAll(dirname(builtCommand()), '/hive')));
	}
	await bus.close();
};

/** First words of commands that start agents. These agents find the command that started them on PATH. */
const startsAgents: ReadonlySet<string> = new Set(['run', 'bee', 'session']);

/**
 * Opens another checkout with the same helpers, optionally with another environment or under a program that
 * starts every command.
 */
export const openColony = (
	repository: Repository,
	home: string,
	more: Readonly<Record<string, string>> = {},
	under: readonly string[] = [],
): ColonyOnDisk => {
	const ofGit = {GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};
	const env = {HOME: home, ...ofGit, ...sharedCache(), ...more};
	const inColony = (options: CallOptions) => ({
		...{cwd: repository.root, under, ...options},
		env: {...env, ...options.env},
	});
	const hive: ColonyOnDisk['hive'] = (args, options = {}) => runHive(args, inColony(options));
	return {
		...repository,
		home,
		env,
		hive,
		ask: async (args, {exit = 0, ...options} = {}) => {
			const isPlain = under.length === 0 && options.env === undefined && more.PATH === undefined;
			const run = isPlain && !startsAgents.has(args[0] ?? '') ? runLine : runHive;
			const {stdout, stderr, exitCode} = await run([...args, '--json'], inColony(options));
			if (exitCode === exit) return JSON.parse(stdout);
			throw new Error(`hive ${args.join(' ')} ended with ${exitCode}\n${stdout}${stderr}`);
		},
		follow: (args = ['run']) => followHive([...args, '--json'], {cwd: repository.root, env, under}),
		replay: async traceId => {
			const {stdout} = await hive(['replay', traceId, '--json']);
			return linesOf(stdout).map(line => JSON.parse(line));
		},
		notes: (count = 0) => linesAppear(join(home, 'notes'), count),
		exitOf: (traceId, agentId) => fileAppears(join(repository.root, '.hive/runs', traceId, agentId, 'exit')),
		open: async gate => {
			const path = join(home, 'gates', gate);
			const script = '[ -p "$1" ] || mkfifo "$1" || :; echo go >"$1"';
			await promisify(execFile)('sh', ['-c', script, 'sh', path], {timeout: timeoutMs});
		},
	};
};

const beeFiles = (home: string, role: string, {script, ...fields}: ScriptedBee): [string, string][] => [
	[
		`.hive/bees/${role}.yaml`,
		JSON.stringify({adapter: 'script', command: ['sh', `$COLONY_ROOT/.hive/agents/${role}.sh`], ...fields}),
	],
	[`.hive/agents/${role}.sh`, `${vocabulary(home)}\n${script}\n`],
];

/**
 * Shell functions for the scripts of bees. Each start is noted first, with one line for each process that
 * really started.
 */
const vocabulary = (home: string): string => `
note() { echo "$*" >>'${home}/notes'; }
wait_for() { [ -p "${home}/gates/$1" ] || mkfifo "${home}/gates/$1" 2>/dev/null; read -r word <"${home}/gates/$1"; }
emit() { printf '%s' "$1" | hive event emit --stdin; }
note "start $HIVE_BEE $HIVE_TASK_ID $HIVE_AGENT_ID"`;

/** Releases all agents that wait at a gate. No waiting agent is fine. */
const releaseAll = (gate: string): void => {
	try {
		const file = openSync(gate, constants.O_WRONLY | constants.O_NONBLOCK);
		writeSync(file, 'over\n'.repeat(16));
		closeSync(file);
	} catch {
		// No process reads the gate.
	}
};

export const linesOf = (text: string): string[] => text.split('\n').filter(line => line !== '');

const linesAppear = (path: string, count: number): Promise<readonly string[]> =>
	withTimeout(
		fileShows(path, () => {
			const lines = linesOf(readFileSync(path, 'utf8'));
			return lines.length < count ? undefined : lines;
		}),
		() => `${count} lines in ${path}, which holds ${readFileSync(path, 'utf8')}`,
	);

const fileAppears = async (path: string): Promise<void> => {
	await withTimeout(
		fileShows(path, () => existsSync(path) || undefined),
		() => path,
	);
};

/** Resolves with the result of `look`, now or after a change of the file. */
const fileShows = <Found>(path: string, check: () => Found | undefined): Promise<Found> => {
	const over = new AbortController();
	return new Promise(resolve => {
		const checkAgain = (): void => {
			const found = check();
			if (found === undefined) return;
			over.abort();
			resolve(found);
		};
		watch(dirname(path), {signal: over.signal}, (_, name) => name === basename(path) && checkAgain());
		checkAgain();
	});
};

/** Reads a JSON file of the colony. */
export const readJson = async (path: string): Promise<Json> => JSON.parse(await readFile(path, 'utf8'));
