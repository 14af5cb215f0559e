import {execFile, spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {promisify} from 'node:util';
import {type NatsServer, startNatsServer} from '../helpers/nats-server.ts';
import {sharedCache} from '../helpers/shared-cache.ts';
import {endHolding} from './machine.ts';

/** A scripted bee: the `sh` script that runs in its workspace, and the other fields of its file. */
export type Bee = {readonly script: string; readonly [field: string]: unknown};

export type Scene = {
	/** Path of the built command. */
	readonly command: string;
	readonly bees: Readonly<Record<string, Bee>>;
	readonly settings?: object;
	/** The files of the first commit. */
	readonly files?: Readonly<Record<string, string>>;
	/** Where the log is: its own server, or a file in the home. The default is HIVE_TEST_BUS. */
	readonly bus?: 'nats' | 'embedded';
};

/** A colony with its own repository and home, in one folder that is kept after a breach. */
export type ScratchColony = {
	readonly folder: string;
	readonly root: string;
	readonly home: string;
	readonly env: Readonly<Record<string, string>>;
	/** The server that stores the log; undefined if the log is a file in the home. */
	readonly server: NatsServer | undefined;
	/** Starts the command as the leader of a process group. */
	readonly start: (args: readonly string[], how?: How) => ReturnType<typeof spawn>;
	readonly hive: (args: readonly string[], input?: string, how?: How) => Promise<Ended>;
	/** Returns the JSON document of a command that must succeed. */
	readonly ask: <Answer>(args: readonly string[], input?: string) => Promise<Answer>;
	/** Returns every event of a trace. */
	readonly replay: (traceId: string) => Promise<readonly Event[]>;
	readonly git: (args: readonly string[], cwd?: string) => Promise<string>;
	/** Writes a file of the repository. */
	readonly write: (path: string, content: string) => Promise<void>;
	/** Returns the lines of a file in the home where agents make notes. */
	readonly noted: (name: string) => string[];
	/** Ends all processes of the colony, its server last. */
	readonly end: () => Promise<void>;
	readonly remove: () => Promise<void>;
};

export type How = {
	/** The value of HIVE_CRASH_AT. */
	readonly crashAt?: string;
	/** The program, with its arguments, that starts the command. */
	readonly under?: readonly string[];
};

export type Ended = {readonly stdout: string; readonly stderr: string; readonly exitCode: number | null};

export type Event = {
	readonly sequence: number;
	readonly id: string;
	readonly agentId: string;
	readonly payload: {readonly kind: string; readonly [field: string]: unknown};
};

/** Runs until no work is left. The timeout only ends what hangs. */
export const untilIdle: readonly string[] = ['run', '--until-idle', '--timeout', '9m'];

/** A timeout that no single command should reach. */
const commandMilliseconds = 600_000;

export const createScratchColony = async (scene: Scene): Promise<ScratchColony> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-chaos-')));
	const bus = scene.bus ?? process.env.HIVE_TEST_BUS;
	const colony = handsOn(folder, scene.command, bus === 'nats' ? await startNatsServer() : undefined);
	for (const path of [colony.root, colony.home]) await mkdir(path);
	await colony.git(['init', '--quiet', '--initial-branch=main']);
	await colony.git(['config', 'user.name', 'Ada']);
	await colony.git(['config', 'user.email', 'ada@example.org']);
	// Each setting has one line, so that commands with a fast start find the slug too.
	const mode = process.env.HIVE_CHAOS_CONTAIN;
	const contain = mode === undefined ? {} : {contain: {mode, write: ['~']}};
	const settings = Object.entries({...contain, ...scene.settings}).map(
		([name, value]) => `${name}: ${JSON.stringify(value)}`,
	);
	const files = {
		'readme.md': 'A scratch colony.\n',
		'.hive/colony.yaml': ['slug: chaos', ...settings, ''].join('\n'),
		...scene.files,
	};
	for (const [path, content] of Object.entries({...files, ...beeFiles(scene.bees)}))
		await colony.write(path, content);
	await colony.git(['add', '--all']);
	await colony.git(['commit', '--quiet', '--message', 'first']);
	await colony.ask(['init']);
	await colony.git(['add', '--all']);
	await colony.git(['commit', '--quiet', '--allow-empty', '--message', 'hive init']);
	return colony;
};

export const handsOn = (folder: string, command: string, server: NatsServer | undefined): ScratchColony => {
	const [root, home] = [join(folder, 'root'), join(folder, 'home')];
	const env = {
		...{HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...sharedCache()},
		...(server && {HIVE_BUS_URL: server.url}),
	};
	const start = (args: readonly string[], {crashAt, under = []}: How = {}) => {
		const [program = '', ...rest] = [...under, process.execPath, command, ...args];
		return spawn(program, rest, {
			cwd: root,
			env: {PATH: process.env.PATH, ...env, ...(crashAt !== undefined && {HIVE_CRASH_AT: crashAt})},
			stdio: ['pipe', 'pipe', 'pipe'],
			detached: true,
		});
	};
	const hive: ScratchColony['hive'] = async (args, input = '', how = {}) => {
		const child = start(args, how);
		let isLate = false;
		const timer = setTimeout(() => {
			isLate = child.kill('SIGKILL');
		}, commandMilliseconds);
		child.stdin.on('error', () => {}).end(input);
		const [stdout, stderr, exitCode] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			new Promise<number | null>(resolve => child.on('close', resolve)),
		]);
		clearTimeout(timer);
		if (isLate) throw new Error(`hive ${args.join(' ')} did not end: ${stdout}${stderr}`);
		return {stdout, stderr, exitCode};
	};
	return {
		...{folder, root, home, env, server, start, hive},
		ask: async (args, input) => {
			const {stdout, stderr, exitCode} = await hive([...args, '--json'], input);
			if (exitCode === 0) return JSON.parse(stdout);
			throw new Error(`hive ${args.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
		},
		replay: async traceId =>
			linesOf((await hive(['replay', traceId, '--json'])).stdout).map(line => JSON.parse(line)),
		git: async (args, cwd = root) => {
			const options = {cwd, env: {PATH: process.env.PATH, ...env}, maxBuffer: 2 ** 26};
			return (await promisify(execFile)('git', [...args], options)).stdout.trimEnd();
		},
		write: async (path, content) => {
			await mkdir(dirname(join(root, path)), {recursive: true});
			await writeFile(join(root, path), content);
		},
		noted: name => {
			const path = join(home, name);
			return existsSync(path) ? linesOf(readFileSync(path, 'utf8')) : [];
		},
		end: async () => {
			endHolding(folder);
			await server?.stop();
		},
		remove: async () => {
			await rm(folder, {recursive: true, force: true, maxRetries: 5});
			await server?.dispose();
		},
	};
};

const beeFiles = (bees: Scene['bees']): Record<string, string> =>
	Object.fromEntries(
		Object.entries(bees).flatMap(([role, {script, ...fields}]) => [
			[
				`.hive/bees/${role}.yaml`,
				JSON.stringify({
					adapter: 'script',
					command: ['sh', `$COLONY_ROOT/.hive/agents/${role}.sh`],
					...fields,
				}),
			],
			// Each process that really started writes one line.
			[
				`.hive/agents/${role}.sh`,
				`echo "$HIVE_AGENT_ID $HIVE_TRACE_ID $HIVE_TASK_ID" >>"$HOME/starts"\n${script}\n`,
			],
		]),
	);

export const linesOf = (content: string): string[] => content.split('\n').filter(line => line !== '');
