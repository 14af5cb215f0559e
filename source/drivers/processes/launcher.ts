import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Socket} from 'node:net';
import {findPerl, type Launch, type Preparation, type Processes} from '../../ports/processes.ts';
import {inheritedByGit, quiet, unfetched} from '../git-environment.ts';
import {type ProgramEnd, type ProgramOptions, type RunToEnd, runToEnd} from '../run-to-end.ts';
import {launchFailure, systemError} from './launch-failure.ts';
import {splitAnswers} from './launcher-answers.ts';
import {launcherArguments, launcherText} from './launcher-program.ts';

/** What is heard of a supervisor that this process had started. */
export type Supervisor = {
	/** Resolves when the exit is on record, or with `gone`. */
	readonly over: Promise<void>;
	/** Resolves when it is gone, or has nothing to do with the run any more, or whoever would have told is gone. */
	readonly gone: Promise<void>;
};

/** When a run begins. */
export type Moment = {
	/** UTC, RFC 3339. */
	readonly at: string;
	/** As start times of processes are counted, which nobody sets. */
	readonly since: string;
};

/** One that waits for its run. */
export type PreparedSupervisor = {
	/** Answers with nothing where it was prepared for something else, or is gone before it said that it has begun. */
	readonly launch: (launch: Launch, moment: Moment) => Promise<Supervisor | undefined>;
	/** Has no effect after the launch. */
	readonly drop: () => void;
};

export type Launcher = {
	/**
	 * Starts a run's supervisor on its own: no pipe, no group and no wait ties it to this process.
	 * @param prepared is used where it can be
	 * @throws HiveError when no supervisor was started
	 */
	readonly launch: (launch: Launch, moment: Moment, prepared?: PreparedSupervisor) => Promise<Supervisor>;
	/** Nothing while the launcher's program is not there yet. */
	readonly prepare: (preparation: Preparation) => PreparedSupervisor | undefined;
	/**
	 * Through the launcher's program where this process has one and the other has little input; else as a child of this process. So is one
	 * that was under way when the launcher's program died: it is run again.
	 */
	readonly run: RunToEnd;
};

/**
 * One small process forks all supervisors, and what else this one runs (launcher-program.ts), since a fork of this one costs its main
 * thread milliseconds. It is started with the first launch and ends with this process; when it died the next launch starts another.
 *
 * @param environment of the git that takes trees
 */
export const createLauncher = (which: Processes['which'], environment: Variables = process.env): Launcher => {
	let current: Promise<Program> | undefined;
	let running: Program | undefined;
	const forget = () => {
		current = undefined;
		running = undefined;
	};
	return {
		prepare: preparation => running?.prepare(preparation),
		launch: async (launch, moment, prepared) => {
			const known = await prepared?.launch(launch, moment);
			if (known !== undefined) return known;
			for (let tries = 1; tries <= mostTries; tries++) {
				current ??= startProgram(which, environment, forget);
				running = await current.catch(error => {
					forget();
					throw launchFailure(launch, error);
				});
				const supervisor = await running.prepare(launch).launch(launch, moment);
				if (supervisor !== undefined) return supervisor;
			}
			throw launchFailure(launch, new Error('the program that starts supervisors does not stay.'));
		},
		run: async (file, args, options) => {
			const isLittle = Buffer.byteLength(options.input ?? '') <= mostInput;
			const end = isLittle ? await running?.run(file, args, options) : undefined;
			return end ?? runToEnd(file, args, options);
		},
	};
};

const mostTries = 3;

/** Bytes that any pipe takes while nobody reads it. */
const mostInput = 512;

type Program = {
	readonly prepare: (preparation: Preparation) => PreparedSupervisor;
	/** Answers with nothing when the program ended before it did. */
	readonly run: (...given: Parameters<RunToEnd>) => Promise<ProgramEnd | undefined>;
};

const startProgram = async (
	which: Processes['which'],
	environment: Variables,
	onEnd: () => void,
): Promise<Program> => {
	const perl = await findPerl(which);
	if (perl === undefined) throw new Error('there is no perl on PATH, and hive supervises runs with it.');
	const child = spawn(perl, launcherArguments, {
		cwd: '/',
		env: {},
		detached: true,
		stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
	});
	const spawned = once(child, 'spawn');
	// For want of open files it has no pipes either.
	if (child.pid === undefined) await spawned;
	const [requests, answers, , program] = child.stdio as [Socket, Socket, null, Socket, null];
	const listeners = new Map<string, Listener>();
	const tell: Parameters<typeof splitAnswers>[0] = ({id, word, rest, bytes}) => {
		listeners.get(id)?.(word, rest, bytes);
		if (word === 'gone' || word === 'failed') listeners.delete(id);
	};
	let isOver = false;
	child.once('close', () => {
		isOver = true;
		onEnd();
		for (const listener of listeners.values()) listener('lost', '');
	});
	answers.on('data', splitAnswers(tell));
	// What could not be written is lost with the program, and that is said when it is closed.
	for (const pipe of [requests, program]) pipe.on('error', () => {});
	program.end(launcherText);
	await spawned;
	const awake = stayAwake(child, answers);
	let last = 0;
	const say = (...fields: readonly Field[]) => requests.write(frameOf(fields));
	const ask = (listener: Listener, ...fields: readonly Field[]): string => {
		const id = String(++last);
		listeners.set(id, listener);
		say(id, ...fields);
		return id;
	};
	say('0', 'environment', ...variableFields(environmentOfGit(environment)));
	return {
		prepare: preparation => {
			let hear: Listener = () => {};
			/** It takes no launch, or no other. */
			let isTaken = isOver;
			const listener: Listener = (word, rest) => {
				isTaken = true;
				hear(word, rest);
			};
			const id = ask(listener, 'prepare', ...preparationFields(preparation));
			const drop = () => {
				if (!isTaken) say(id, 'drop');
				isTaken = true;
			};
			return {
				launch: async (launch, moment) => {
					if (!isFor(launch, preparation)) drop();
					if (isTaken) return undefined;
					isTaken = true;
					const answer = new Promise<Supervisor | undefined>((resolve, reject) => {
						hear = listenTo(launch, resolve, reject);
					});
					say(id, 'launch', ...launchFields(launch, moment));
					return awake(answer);
				},
				drop,
			};
		},
		run: async (file, args, {cwd, env, limits, input = ''}) => {
			if (isOver) return undefined;
			const end = new Promise<ProgramEnd | undefined>((resolve, reject) => {
				const stop = () => {
					listeners.delete(id);
					say(id, 'stop');
				};
				const listener = collectOutput(limits, {stop, resolve, reject});
				const id = ask(listener, 'run', cwd, input, ...commandFields([file, ...args], env));
			});
			return awake(end);
		},
	};
};

type Listener = (word: string, rest: string, bytes?: Buffer) => void;

const listenTo = (
	launch: Launch,
	resolve: (supervisor?: Supervisor) => void,
	reject: (error: Error) => void,
): Listener => {
	let tellOver = () => {};
	let tellGone = () => {};
	const over = new Promise<void>(call => {
		tellOver = call;
	});
	const gone = new Promise<void>(call => {
		tellGone = call;
	});
	return (word, rest) => {
		if (word === 'failed') reject(launchFailure(launch, systemError(rest)));
		if (word === 'launched') resolve({over, gone});
		// Nobody knows how far it came. Asked for twice, a run begins once.
		if (word === 'gone' || word === 'lost') resolve();
		if (word !== 'launched') tellOver();
		if (word === 'gone' || word === 'lost') tellGone();
	};
};

type Outcome = {
	/** Has the program stopped; nothing more is heard of it. */
	readonly stop: () => void;
	readonly resolve: (end?: ProgramEnd) => void;
	readonly reject: (error: Error) => void;
};

const collectOutput = (limits: ProgramOptions['limits'], {stop, resolve, reject}: Outcome): Listener => {
	const written: Record<'stdout' | 'stderr', Buffer[]> = {stdout: [], stderr: []};
	const room = {...limits};
	const ended = (more: Partial<ProgramEnd>) => {
		const [stdout, stderr] = [Buffer.concat(written.stdout), Buffer.concat(written.stderr)];
		resolve({stdout, stderr, ...more});
	};
	const take = (which: 'stdout' | 'stderr', bytes: Buffer): void => {
		written[which].push(bytes.subarray(0, room[which]));
		room[which] -= bytes.length;
		if (room[which] >= 0) return;
		stop();
		ended({overflow: which});
	};
	return (word, rest, bytes) => {
		if (bytes !== undefined) take(word === 'out' ? 'stdout' : 'stderr', bytes);
		if (word === 'failed') reject(systemError(rest));
		if (word === 'lost') resolve();
		if (word === 'gone') ended(Number(rest) & 127 ? {} : {exitCode: Number(rest) >> 8});
	};
};

/** The program keeps this process alive as long as it owes an answer. */
const stayAwake = (...handles: readonly {ref: () => void; unref: () => void}[]) => {
	let pending = 0;
	for (const handle of handles) handle.unref();
	return async <Value>(answer: Promise<Value>): Promise<Value> => {
		if (pending++ === 0) for (const handle of handles) handle.ref();
		try {
			return await answer;
		} finally {
			if (--pending === 0) for (const handle of handles) handle.unref();
		}
	};
};

const isFor = (launch: Launch, preparation: Preparation): boolean =>
	(['workspace', 'recordTrees', 'madeOf'] as const).every(field => launch[field] === preparation[field]);

const preparationFields = ({workspace, recordTrees, madeOf = '1'}: Preparation): string[] => [
	workspace,
	recordTrees ? madeOf : '0',
];

/** It carries no mark of a run: what hive itself runs is nobody's leftover. */
const environmentOfGit = ({HIVE_AGENT_ID: _, ...environment}: Variables): Variables => ({
	...inheritedByGit(environment),
	...quiet,
	...unfetched,
});

const launchFields = ({runDir, input = '', argv, env}: Launch, {at, since}: Moment): string[] => [
	...[runDir, at, since, input],
	...commandFields(argv, env),
];

const commandFields = (argv: readonly string[], env: Variables): string[] => [
	String(argv.length),
	...argv,
	...variableFields(env),
];

type Variables = Readonly<Record<string, string | undefined>>;

const variableFields = (env: Variables): string[] =>
	Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));

/** Each field with its length before it, and the frame likewise. */
const frameOf = (fields: readonly Field[]): Buffer => {
	const sizes = fields.map(field => Buffer.byteLength(field));
	const size = sizes.reduce((sum, length) => sum + 4 + length, 0);
	const frame = Buffer.allocUnsafe(4 + size);
	let at = frame.writeUInt32BE(size);
	for (const [index, field] of fields.entries()) {
		at = frame.writeUInt32BE(sizes[index] ?? 0, at);
		if (typeof field === 'string') frame.write(field, at);
		else frame.set(field, at);
		at += sizes[index] ?? 0;
	}
	return frame;
};

type Field = string | Uint8Array;
