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

/** Bits of a mode that allow other users anything. */
const othersAll = 0o077;

/**
 * Mode of a new file. Files of runs are private whatever the umask (docs/rules.md §7). The umask decides for
 * others.
 */
export const fileMode = (path: string): number => (isOfRuns(path) ? 0o600 : 0o666);

const isOfRuns = (path: string): boolean => path.includes('/.hive/runs/') || path.endsWith('/.hive/runs');

/** Mode of folders that are made for a file with this mode. */
export const folderMode = (mode: number): number => ((mode & othersAll) === 0 ? 0o700 : 0o777);

/**
 * Makes folders private that an older hive left open to other users. These are the machine-local folder and,
 * below `.hive/runs`, all folders that hive makes, with the files of tasks. It changes only files of this
 * user, follows no link, and never throws. If the two folders are private already, it costs one check each.
 */
export const makePrivate = (root: string, machineFolder: string): void => {
	close(machineFolder);
	const runs = join(root, '.hive', 'runs');
	if (!canClose(runs)) return;
	for (const trace of foldersIn(runs)) closeTrace(trace);
	// Last, so that after an interruption the next start continues.
	close(runs);
};

const closeTrace = (trace: string): void => {
	for (const task of foldersIn(join(trace, 'tasks'))) {
		for (const name of ['task.md', 'runs.ndjson']) close(join(task, name));
		close(task);
	}
	// The folders of its runs, artifacts and tasks.
	for (const inside of foldersIn(trace)) close(inside);
	close(trace);
};

/**
 * Returns absolute paths of the folders inside. Links do not count, neither in the folder nor as the folder.
 */
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
 * True if the path is open to others, owned by this user, and on a disk that accepts changes. It sets the
 * current mode again to find out.
 */
const canClose = (path: string): boolean => change(path, ({mode}) => mode);

const close = (path: string): boolean => change(path, ({mode}) => mode & ~othersAll);

/**
 * Changes the mode of a file or folder of this user that is open to others. Returns false if it is not one,
 * or if the change fails.
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
