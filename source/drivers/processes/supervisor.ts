import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Socket} from 'node:net';
import {fileURLToPath} from 'node:url';
import {findPerl, type Launch, type LaunchCapture, type Processes} from '../../ports/processes.ts';
import {launchFailure, systemError} from './launch-failure.ts';
import type {LoginFacts} from './log-out.ts';
import {scopeOf} from './scope.ts';

/** A supervisor that this process started. */
export type Supervisor = {
	/** Resolves when the exit is recorded, or with `gone`. */
	readonly over: Promise<void>;
	/** Resolves when the supervisor has ended. */
	readonly gone: Promise<void>;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Inputs for starting supervisors. */
export type Supervising = {
	readonly which: Processes['which'];
	/** Environment of the program that runs after an agent. */
	readonly environment: Variables;
	/** File of the perl program. */
	readonly program: string;
	/** Facts about the person's login; read from the system if absent. */
	readonly login?: LoginFacts;
};

/** The build puts it beside the bundles. */
export const supervisorProgram = fileURLToPath(new URL('supervisor.pl', import.meta.url));

/** Number of prctl(2) by architecture; perl has no name for it. */
const prctlNumbers: Partial<Record<NodeJS.Architecture, number>> = {
	x64: 157,
	arm64: 167,
	riscv64: 167,
	loong64: 167,
	arm: 172,
	ia32: 172,
	ppc64: 171,
	s390x: 172,
};

const prctl = process.platform === 'linux' ? (prctlNumbers[process.arch] ?? 0) : 0;

/**
 * True if a supervisor here can adopt orphans of its run. Elsewhere they go to the first process of the
 * machine.
 */
export const canReapOrphans = prctl !== 0;

/** Max number of starts, in case a supervisor is killed before its first message. */
const maxTries = 3;

/**
 * Starts a run's supervisor in a session of its own. It does not end with this process.
 *
 * @param at when the run begins, UTC, RFC 3339
 * @throws HiveError if no supervisor was started
 */
export const startSupervisor = async (
	supervising: Supervising,
	launch: Launch,
	at: string,
): Promise<Supervisor> => {
	const perl = await findPerl(supervising.which);
	if (perl === undefined)
		throw launchFailure(launch, new Error('there is no perl on PATH, and hive supervises runs with it.'));
	// -f: perl reads no settings of the site.
	const argv = [perl, '-f', supervising.program, launch.runDir, String(prctl)];
	const scoped = launch.outlivesLogOut ? await scopeOf(argv, {...supervising, ...launch}) : undefined;
	const plain = Array.from({length: maxTries}, () => ({argv, env: {}}));
	for (const start of scoped === undefined ? plain : [{...scoped, mayHang: true}, ...plain]) {
		const supervisor = await startOnce(start, supervising, launch, at);
		if (supervisor !== undefined) return supervisor;
	}
	throw launchFailure(launch, new Error('its supervisor is killed before it begins.'));
};

/** Max milliseconds for another program to start the supervisor in its place. */
const startTimeoutMs = 3000;

type Start = {
	readonly argv: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** Another program starts it, and may hang. */
	readonly mayHang?: boolean;
};

/** Returns undefined if the supervisor ended before its first message. */
const startOnce = async (
	{argv: [command = '', ...args], env, mayHang = false}: Start,
	{environment}: Pick<Supervising, 'environment'>,
	launch: Launch,
	at: string,
): Promise<Supervisor | undefined> => {
	const failed = (error: Error): never => {
		throw launchFailure(launch, error);
	};
	const child = spawn(command, args, {
		cwd: launch.workspace,
		env,
		detached: true,
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	const spawned = once(child, 'spawn').catch(failed);
	// If the system has no more open files, the child has no pipes either.
	if (child.pid === undefined) await spawned;
	const [input, answers] = child.stdio as [Socket, Socket, null, undefined, undefined];
	// A killed supervisor reads nothing; its end reports that.
	input.on('error', () => {});
	const {ready, begun, over} = readMessages(answers);
	const gone = once(child, 'exit').then(() => {});
	await spawned;
	if (mayHang && !(await withinTimeout(ready))) {
		// Nothing was sent to it, so it has begun nothing.
		child.kill('SIGKILL');
		return undefined;
	}
	try {
		const preparation = await launch.capture?.();
		input.end(packLaunch(launch, at, environment, preparation));
	} catch (error) {
		// Without a complete launch it starts nothing.
		input.destroy();
		throw error;
	}
	const isBegun = await begun.catch(failed);
	// From here on it no longer keeps this process alive.
	child.unref();
	answers.unref();
	return isBegun ? {over: Promise.race([over, gone]), gone} : undefined;
};

/** Resolves false if the promise does, or after `longestWait` milliseconds. */
const withinTimeout = (isSo: Promise<boolean>): Promise<boolean> =>
	new Promise(resolve => {
		const timer = setTimeout(() => resolve(false), startTimeoutMs);
		void isSo.then(is => {
			clearTimeout(timer);
			resolve(is);
		});
	});

/** Reads the supervisor's messages. `ready` and `begun` resolve false if it ends before it sends them. */
const readMessages = (
	answers: Socket,
): {ready: Promise<boolean>; begun: Promise<boolean>; over: Promise<void>} => {
	let resolveReady = (_: boolean) => {};
	const ready = new Promise<boolean>(resolve => {
		resolveReady = resolve;
	});
	let resolveOver = () => {};
	const over = new Promise<void>(resolve => {
		resolveOver = resolve;
	});
	const begun = new Promise<boolean>((resolve, reject) => {
		forEachLine(answers, line => {
			if (line === 'ready') resolveReady(true);
			if (line === 'launched') resolve(true);
			if (line === 'ended') resolveOver();
			if (line.startsWith('failed ')) reject(systemError(line.slice('failed '.length)));
		});
		answers.once('close', () => {
			resolveReady(false);
			resolve(false);
		});
	});
	// If `look` throws, no code awaits this promise.
	begun.catch(() => {});
	return {ready, begun, over};
};

const forEachLine = (from: Socket, onLine: (line: string) => void): void => {
	let partialLine = '';
	from.setEncoding('utf8').on('data', (text: string) => {
		const lines = (partialLine + text).split('\n');
		partialLine = lines.pop() ?? '';
		for (const line of lines) onLine(line);
	});
};

/**
 * Packs a launch as a length and that many bytes: three texts and five lists, which `read_launch` of the
 * program unpacks.
 */
const packLaunch = (
	{input = '', argv, env}: Launch,
	at: string,
	{HIVE_AGENT_ID: _, ...environment}: Variables,
	{files, after}: LaunchCapture = {files: {}},
): Buffer => {
	const lists = [
		Object.entries(files).flat(),
		after?.argv ?? [],
		// Without the mark of a run, since hive's own programs are not leftovers of one.
		after === undefined ? [] : assignmentsOf(environment),
		argv.map(withoutNul),
		assignmentsOf(env).map(withoutNul),
	];
	return packed(Buffer.concat([at, input, after?.input ?? '', ...lists.map(packList)].map(packed)));
};

/** Replaces NULs, at which the system would end the text. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\uFFFD');

const packList = (texts: readonly string[]): Buffer => Buffer.concat(texts.map(packed));

const packed = (field: string | Uint8Array): Buffer => {
	const bytes = Buffer.from(field);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(bytes.length);
	return Buffer.concat([length, bytes]);
};

const assignmentsOf = (variables: Variables): string[] =>
	Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
