import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import type {ChildEnd, ChildHandle, Printed} from '../ports/child.ts';

/** Characters of standard error to keep. */
const keptCharacters = 16 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs this hive on this terminal, which belongs to it until it ends. Resolves with its standard error. It
 * ends with this process.
 */
export const runSelf = async (args: readonly string[], cwd: string, env: Environment): Promise<ChildEnd> => {
	const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
		...{cwd, env: {...env}, stdio: ['inherit', 'inherit', 'pipe']},
	});
	const end = (): void => void child.kill();
	process.on('exit', end);
	try {
		return await endOf(child);
	} finally {
		process.off('exit', end);
	}
};

/** Characters of a command's output to keep. */
const keptOutput = 1024 * 1024;

/**
 * Runs this hive without a terminal, and resolves with its output. It ends when the signal aborts.
 *
 * @param options `input`: its standard input
 */
export const askSelf = (
	args: readonly string[],
	{cwd, env, signal, input}: {cwd: string; env: Environment; signal?: AbortSignal; input?: string},
): Promise<Printed> =>
	new Promise(resolve => {
		const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
			...{cwd, env: {...env}, stdio: ['pipe', 'pipe', 'pipe']},
			...(signal && {signal}),
		}) as ChildProcessByStdio<Writable, Readable, Readable>;
		child.stdin.on('error', () => {});
		child.stdin.end(input);
		let output = '';
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (text: string) => {
				output = (output + text).slice(0, keptOutput);
			});
		child.on('error', ({message}) => resolve({output: output || message, exitCode: 1}));
		child.on('close', exitCode => resolve({output, exitCode: exitCode ?? 1}));
	});

type SpawnOptions = {
	readonly cwd: string;
	readonly env: Environment;
	/** Called for each line that it prints. */
	readonly onLine?: (line: string) => void;
};

/**
 * Starts this hive as a process of its own session. It ends when its standard input does, so it always ends
 * with this process.
 */
export const spawnSelf = (args: readonly string[], {cwd, env, onLine: hear}: SpawnOptions): ChildHandle => {
	const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
		cwd,
		env: {...env},
		stdio: ['pipe', hear === undefined ? 'ignore' : 'pipe', 'pipe'],
		detached: true,
	}) as ChildProcessByStdio<Writable, Readable | null, Readable>;
	if (hear !== undefined && child.stdout !== null) createInterface(child.stdout).on('line', hear);
	const ended = endOf(child);
	child.stdin.on('error', () => {});
	return {
		pid: child.pid,
		ended,
		end: async () => {
			child.stdin.end();
			await ended;
		},
	};
};

const endOf = (child: ChildProcessByStdio<Writable | null, Readable | null, Readable>): Promise<ChildEnd> => {
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr = (stderr + text).slice(-keptCharacters);
	});
	return new Promise(resolve => {
		child.on('error', ({message}) => resolve({stderr: message}));
		child.on('close', (exitCode, signal) =>
			resolve({stderr, ...(exitCode === null ? {} : {exitCode}), ...(signal === null ? {} : {signal})}),
		);
	});
};
