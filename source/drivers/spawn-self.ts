import {spawn} from 'node:child_process';
import type {ChildEnd, ChildHandle} from '../ports/child.ts';

/** Characters kept of what it writes to standard error. */
const keptCharacters = 16 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs this hive on this terminal, which is its own until it ends; it ends with this process. @throws when it cannot be started */
export const runSelf = (args: readonly string[], cwd: string, env: Environment): Promise<void> =>
	new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
			...{cwd, env: {...env}, stdio: 'inherit'},
		});
		const end = (): void => void child.kill();
		process.on('exit', end);
		child.on('close', () => process.off('exit', end));
		child.on('error', reject);
		child.on('close', () => resolve());
	});

/** Starts this hive as a process of its own session. It ends when its standard input does, so it is never forgotten. */
export const spawnSelf = (args: readonly string[], cwd: string, env: Environment): ChildHandle => {
	const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
		cwd,
		env: {...env},
		stdio: ['pipe', 'ignore', 'pipe'],
		detached: true,
	});
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr = (stderr + text).slice(-keptCharacters);
	});
	const ended = new Promise<ChildEnd>(resolve => {
		child.on('error', ({message}) => resolve({stderr: message}));
		child.on('close', (exitCode, signal) =>
			resolve({stderr, ...(exitCode === null ? {} : {exitCode}), ...(signal === null ? {} : {signal})}),
		);
	});
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
