import {type ChildProcess, spawn} from 'node:child_process';
import type {Readable} from 'node:stream';

type ProgramOptions = {
	readonly cwd: string;
	/** Its whole environment. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Its standard input; empty by default. */
	readonly input?: string | Uint8Array;
	/** Max bytes of standard output and of standard error. The program is stopped at the first byte beyond. */
	readonly limits: {readonly stdout: number; readonly stderr: number};
	/** Milliseconds after which the program is stopped; no limit by default. */
	readonly timeoutMs?: number;
};

type ProgramEnd = {
	/** Absent if a signal ended it. */
	readonly exitCode?: number;
	readonly stdout: Buffer;
	readonly stderr: Buffer;
	/** The output that exceeded its limit. */
	readonly overflow?: 'stdout' | 'stderr';
	/** True if it was stopped at its timeout. */
	readonly isTimedOut?: boolean;
};

/** Rejects if the program cannot be started. */
export type RunToEnd = (
	file: string,
	args: readonly string[],
	options: ProgramOptions,
) => Promise<ProgramEnd>;

/**
 * Runs a program until it has ended and closed its output. It has a group of its own, so it is not stopped
 * with hive. Rejects if it cannot be started. It uses Node's own spawn. A merge runs git some hundred times,
 * and a library for processes would double the cost of each.
 */
export const runToEnd: RunToEnd = (file, args, {cwd, env, input, limits, timeoutMs}) =>
	new Promise((resolve, reject) => {
		const stdin = input === undefined ? 'ignore' : 'pipe';
		const child = spawn(file, args, {cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe']});
		let overflow: ProgramEnd['overflow'];
		const collect = (from: Readable | null, which: 'stdout' | 'stderr') => {
			const chunks: Buffer[] = [];
			let room = limits[which];
			from?.on('data', (chunk: Buffer) => {
				if (room > 0) chunks.push(chunk.subarray(0, room));
				room -= chunk.length;
				if (room >= 0 || overflow !== undefined) return;
				overflow = which;
				stopGroup(child);
				// For a process that has left the group: its output is closed.
				child.stdout?.destroy();
				child.stderr?.destroy();
			});
			return () => Buffer.concat(chunks);
		};
		const stdout = collect(child.stdout, 'stdout');
		const stderr = collect(child.stderr, 'stderr');
		let isTimedOut = false;
		const timer =
			timeoutMs === undefined
				? undefined
				: setTimeout(() => {
						isTimedOut = true;
						stopGroup(child);
						child.stdout?.destroy();
						child.stderr?.destroy();
					}, timeoutMs);
		child.on('error', error => {
			clearTimeout(timer);
			reject(error);
		});
		child.on('close', code => {
			clearTimeout(timer);
			resolve({
				stdout: stdout(),
				stderr: stderr(),
				...(code === null ? {} : {exitCode: code}),
				...(overflow === undefined ? {} : {overflow}),
				...(isTimedOut && {isTimedOut}),
			});
		});
		// A program that ends before it has read everything reports why by its exit code.
		child.stdin?.on('error', () => {});
		child.stdin?.end(input);
	});

const stopGroup = ({pid}: ChildProcess): void => {
	try {
		if (pid !== undefined) process.kill(-pid);
	} catch {
		// It has ended by itself, and its output with it.
	}
};
