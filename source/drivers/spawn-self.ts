import {type ChildProcessByStdio, spawn} from 'node:child_process';
import type {Readable, Writable} from 'node:stream';
import type {ChildEnd, ChildHandle} from '../ports/child.ts';

/** Characters kept of what it writes to standard error. */
const keptCharacters = 16 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs this hive on this terminal, which is its own until it ends; what it complains of is answered. It ends with this process. */
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

/** Starts this hive as a process of its own session. It ends when its standard input does, so it is never forgotten. */
export const spawnSelf = (args: readonly string[], cwd: string, env: Environment): ChildHandle => {
	const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
		cwd,
		env: {...env},
		stdio: ['pipe', 'ignore', 'pipe'],
		detached: true,
	});
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

const endOf = (child: ChildProcessByStdio<Writable | null, null, Readable>): Promise<ChildEnd> => {
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
