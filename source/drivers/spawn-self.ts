import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {ChildHandle} from '../ports/child.ts';

/** Starts this hive as a process of its own session. It ends when its standard input does, so it is never forgotten. */
export const spawnSelf = (
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string | undefined>>,
): ChildHandle => {
	const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
		cwd,
		env: {...env},
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	const gone = Promise.race([once(child, 'exit'), once(child, 'error')]);
	child.stdin.on('error', () => {});
	return {
		pid: child.pid,
		end: async () => {
			child.stdin.end();
			await gone;
		},
	};
};
