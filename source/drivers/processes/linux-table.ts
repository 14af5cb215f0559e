import {readdirSync, readFileSync, statSync} from 'node:fs';
import type {ListedProcess, ProcessFacts, ProcessTable} from './process-table.ts';

/** Both stay the same as long as this process lives. */
let bootId: string | undefined;
let ownStart: number | undefined;

/** Reads /proc. Synchronous: a read there takes microseconds, less than a call of the thread pool. */
export const linuxTable: ProcessTable = {
	bootId: async () => {
		bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
		return bootId;
	},
	find: async pid => readFacts(pid),
	isSurelyThere: ({pid, startTime}) => readFacts(pid)?.startTime === startTime,
	now: () => String(Math.floor(ticksNow())),
	ageOf: startTime => Math.max((ticksNow() - Number(startTime)) * tickMs, 0),
	list: async mark => {
		const listed = new Map<string, ListedProcess | undefined>();
		for (let attempt = 0; attempt < maxAttempts; attempt++) {
			const fresh = readdirSync('/proc').filter(name => /^\d+$/.test(name) && !listed.has(name));
			if (fresh.length === 0) break;
			for (const name of fresh) listed.set(name, isOwn(name) ? readListed(name, mark) : undefined);
		}
		return [...listed.values()].filter(process => process !== undefined);
	},
};

/**
 * Max number of scans. A process that forks and ends during a scan is missed, and so is its child. One more
 * scan finds the child.
 */
const maxAttempts = 10;

const readListed = (name: string, mark: string): ListedProcess | undefined => {
	const facts = readFacts(Number(name));
	return facts && {...facts, marked: isMarked(name, mark)};
};

/** Milliseconds of one tick (USER_HZ, 100 a second), in which start times are counted. */
const tickMs = 10;

/**
 * Returns the time now on the clock of start times. That clock cannot be set, and containers do not shift it.
 */
const ticksNow = (): number => {
	ownStart ??= Number(readFacts(process.pid)?.startTime);
	return ownStart + (process.uptime() * 1000) / tickMs;
};

/**
 * Reads `stat`. Field 2, the name in parentheses, may contain any character; blanks separate the other fields
 * (proc_pid_stat(5)).
 */
const readFacts = (pid: number): ProcessFacts | undefined => {
	const stat = readIfThere(`/proc/${pid}/stat`);
	const end = stat.lastIndexOf(')');
	const fields = stat.slice(end + 2).split(' ');
	const [state, parent, group] = fields;
	const startTime = fields[19];
	if (state === undefined || startTime === undefined) return undefined;
	// A process is also reported as a zombie if only its first thread has ended; its other threads still run.
	const threads = Number(fields[17]);
	if ('ZX'.includes(state) && threads <= 1) return undefined;
	const program = stat.slice(stat.indexOf('(') + 1, end);
	return {pid, parent: Number(parent), group: Number(group), startTime, program};
};

/** Kernel threads have an empty environment, so they are never marked. */
const isMarked = (pid: string, mark: string): boolean =>
	`\0${readIfThere(`/proc/${pid}/environ`)}`.includes(`\0${mark}\0`);

const isOwn = (pid: string): boolean => {
	try {
		return statSync(`/proc/${pid}`).uid === process.geteuid?.();
	} catch {
		return false;
	}
};

/** Returns an empty text if the process is gone or may not be read. */
const readIfThere = (path: string): string => {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
};
