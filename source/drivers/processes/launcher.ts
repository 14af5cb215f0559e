import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Socket} from 'node:net';
import {createInterface} from 'node:readline';
import {findPerl, type Launch, type Processes} from '../../ports/processes.ts';
import {launchFailure, systemError} from './launch-failure.ts';
import {launcherArguments, launcherText} from './launcher-program.ts';

/** What is heard of a supervisor that this process had started. */
export type Supervisor = {
	/** Resolves when the exit is on record, or with `gone`. */
	readonly over: Promise<void>;
	/** Resolves when it is gone, or whoever would have told. */
	readonly gone: Promise<void>;
};

/**
 * Starts a run's supervisor on its own: no pipe, no group and no wait ties it to this process.
 * @param at when the run begins, UTC, RFC 3339
 * @throws HiveError when no supervisor was started
 */
export type LaunchSupervisor = (launch: Launch, at: string) => Promise<Supervisor>;

/**
 * One small process forks all supervisors (launcher-program.ts), since a fork of this one costs its main thread milliseconds. It is
 * started with the first launch and ends with this process; when it died the next launch starts another.
 */
export const createLauncher = (which: Processes['which']): LaunchSupervisor => {
	let current: Promise<Program> | undefined;
	const forget = () => {
		current = undefined;
	};
	return async (launch, at) => {
		for (let tries = 1; tries <= mostTries; tries++) {
			current ??= startProgram(which, forget);
			const program = await current.catch(error => {
				forget();
				throw launchFailure(launch, error);
			});
			const supervisor = await program(launch, at);
			// Nobody knows how far it came. Asked for twice, a run begins once.
			if (supervisor !== undefined) return supervisor;
		}
		throw launchFailure(launch, new Error('the program that starts supervisors does not stay.'));
	};
};

const mostTries = 3;

/** Answers with nothing when the program ended before it did. */
type Program = (launch: Launch, at: string) => Promise<Supervisor | undefined>;

const startProgram = async (which: Processes['which'], onEnd: () => void): Promise<Program> => {
	const perl = await findPerl(which);
	if (perl === undefined) throw new Error('there is no perl on PATH, and hive supervises runs with it.');
	const child = spawn(perl, launcherArguments, {
		cwd: '/',
		env: {},
		detached: true,
		stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
	});
	const [requests, answers, , program] = child.stdio as [Socket, Socket, null, Socket, null];
	const listeners = new Map<string, Listener>();
	const tell = (line: string) => {
		const [, id = '', word = '', rest = ''] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
		listeners.get(id)?.(word, rest);
		if (word === 'gone' || word === 'failed') listeners.delete(id);
	};
	let isOver = false;
	child.once('close', () => {
		isOver = true;
		onEnd();
		for (const listener of listeners.values()) listener('lost', '');
	});
	createInterface(answers).on('line', tell);
	// What could not be written is lost with the program, and that is said when it is closed.
	for (const pipe of [requests, program]) pipe.on('error', () => {});
	program.end(launcherText);
	await once(child, 'spawn');
	const awake = stayAwake(child, answers);
	let last = 0;
	return async (launch, at) => {
		if (isOver) return undefined;
		const id = String(++last);
		const answer = new Promise<Supervisor | undefined>((resolve, reject) => {
			listeners.set(id, listenTo(launch, resolve, reject));
		});
		requests.write(frameOf([id, ...fieldsOf(launch, at)]));
		return awake(answer);
	};
};

type Listener = (word: string, rest: string) => void;

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
		if (word === 'lost') resolve();
		if (word === 'launched' || word === 'gone') resolve({over, gone});
		if (word !== 'launched') tellOver();
		if (word === 'gone' || word === 'lost') tellGone();
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

const fieldsOf = ({runDir, workspace, recordTrees, input = '', argv, env}: Launch, at: string): string[] => [
	runDir,
	workspace,
	recordTrees ? '1' : '0',
	at,
	input,
	String(argv.length),
	...argv,
	...Object.entries(env).map(pair => pair.join('=')),
];

/** Each field with its length before it, and the frame likewise. */
const frameOf = (fields: readonly string[]): Buffer => withLength(Buffer.concat(fields.map(withLength)));

const withLength = (text: string | Uint8Array): Buffer => {
	const bytes = Buffer.from(text as string);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(bytes.length);
	return Buffer.concat([length, bytes]);
};
