import {
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	lstatSync,
	openSync,
	readdirSync,
	type Stats,
} from 'node:fs';
import {join} from 'node:path';

/** Bits of a mode by which others may do anything. */
const othersAll = 0o077;

/** Files of runs are private, whatever the umask (docs/rules.md §7). Of all others the umask decides. */
export const fileMode = (path: string): number => (isOfRuns(path) ? 0o600 : 0o666);

const isOfRuns = (path: string): boolean => path.includes('/.hive/runs/') || path.endsWith('/.hive/runs');

/** Of folders that have to be made for a file with this mode. */
export const folderMode = (mode: number): number => ((mode & othersAll) === 0 ? 0o700 : 0o777);

/**
 * Takes from other users what an older hive let them read: the machine-local folder, and below `.hive/runs`
 * all folders that hive makes, with the files of tasks. Changes only what belongs to this user, follows no
 * link, and never throws. One look at each of the two folders where they are private already.
 */
export const makePrivate = (root: string, machineFolder: string): void => {
	close(machineFolder);
	const runs = join(root, '.hive', 'runs');
	if (!canClose(runs)) return;
	for (const trace of foldersIn(runs)) closeTrace(trace);
	// Last: where this was cut short, the next start goes on.
	close(runs);
};

const closeTrace = (trace: string): void => {
	for (const task of foldersIn(join(trace, 'tasks'))) {
		for (const name of ['task.md', 'runs.ndjson']) close(join(task, name));
		close(task);
	}
	// Those of its runs, artifacts and tasks.
	for (const inside of foldersIn(trace)) close(inside);
	close(trace);
};

/** Absolute. Links are none, nor is there anything in one. */
const foldersIn = (folder: string): readonly string[] => {
	try {
		return isFolder(folder)
			? readdirSync(folder)
					.map(name => join(folder, name))
					.filter(isFolder)
			: [];
	} catch {
		return [];
	}
};

const isFolder = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false})?.isDirectory() === true;

/**
 * Whether it is open to others, this user's, and on a disk that takes changes: the mode that it has is set
 * again.
 */
const canClose = (path: string): boolean => change(path, ({mode}) => mode);

const close = (path: string): boolean => change(path, ({mode}) => mode & ~othersAll);

/**
 * Gives a file or folder of this user's that is open to others another mode. False where that is not so, or
 * cannot be done.
 */
const change = (path: string, modeFrom: (stats: Stats) => number): boolean => {
	try {
		if (!isOpenAndOurs(lstatSync(path))) return false;
		const opened = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			const stats = fstatSync(opened);
			if (!isOpenAndOurs(stats)) return false;
			fchmodSync(opened, modeFrom(stats) & 0o7777);
			return true;
		} finally {
			closeSync(opened);
		}
	} catch {
		return false;
	}
};

const isOpenAndOurs = (stats: Stats): boolean =>
	(stats.isDirectory() || stats.isFile()) &&
	stats.uid === process.geteuid?.() &&
	(stats.mode & othersAll) !== 0;
