import {readdirSync, readFileSync} from 'node:fs';

/** Reads a kernel counter of a process from /proc. */

const statusOf = (pid: number, field: string): number =>
	Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

export const residentMegabytes = (pid: number): number => statusOf(pid, 'VmRSS') / 1024;

export const peakMegabytes = (pid: number): number => statusOf(pid, 'VmHWM') / 1024;

/**
 * Returns the CPU milliseconds of all threads, and how often one went to sleep by itself, which equals its
 * wake-ups.
 */
export const workOf = (pid: number): {readonly milliseconds: number; readonly sleeps: number} => {
	const threads = readdirSync(`/proc/${pid}/task`).map(thread => `/proc/${pid}/task/${thread}`);
	const sum = (read: (thread: string) => number) =>
		threads.reduce((total, thread) => total + read(thread), 0);
	return {
		milliseconds: sum(thread => Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6),
		sleeps: sum(thread =>
			Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${thread}/status`, 'utf8'))?.[1]),
		),
	};
};

/** Returns the memory that no other process shares. */
export const privateMegabytes = (pid: number): number =>
	[
		...readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm),
	].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) / 1024, 0);
