import {lstatSync, type Stats} from 'node:fs';
import {HiveError} from '../domain/errors.ts';
import {maxConfigurationBytes} from '../ports/files.ts';
import {createTurnCache} from './turn-cache.ts';

/**
 * True for paths where no link is followed. Agents and clones write there too, and a link could lead a reader
 * to any file of the user.
 */
export const forbidsLinks = (path: string): boolean => path.includes('/.hive/runs/') || isConfiguration(path);

/** True for files below `.hive` except those of runs, worktrees and the cache. */
export const isConfiguration = (path: string): boolean => {
	const inside = path.indexOf('/.hive/');
	return inside >= 0 && !/^(?:runs|worktrees|cache)(?:\/|$)/.test(path.slice(inside + 7));
};

/** Refuses anything but a regular file: a device may have no end, and a pipe blocks its reader. */
export const expectRegularFile = (stats: Stats, path: string): void => {
	if (!stats.isFile()) throw unreadable(path, 'is not a regular file; hive reads only regular files there');
	if (isConfiguration(path) && stats.size > maxConfigurationBytes)
		throw unreadable(
			path,
			`is larger than ${maxConfigurationBytes / 1024 ** 2} MiB; hive reads no such file there`,
		);
};

/**
 * Checks the path, and below `.hive` every folder that leads to it; each folder once per turn of the event
 * loop. Returns the stats of the path. The innermost folder, which its agent can change, is checked every
 * time.
 */
export const refuseLinksTo = (
	path: string,
	refuse: (stats: Stats, path: string) => void,
): Stats | undefined => {
	const check = (part: string, stats: Stats | undefined): Stats | undefined => {
		if (stats) refuse(stats, part);
		return stats;
	};
	const inside = path.indexOf('/.hive/');
	for (let end = inside + 6; inside >= 0 && end > 0; ) {
		const next = path.indexOf('/', end + 1);
		const folder = path.slice(0, end);
		check(folder, next < 0 ? lstatSync(folder, statOptions) : readStats(folder));
		end = next;
	}
	return check(path, lstatSync(path, statOptions));
};

const user = process.geteuid?.();

/**
 * Like `refuseLinksTo`, but also refuses folders of other users. The owner of a folder could replace a file
 * in it with a link.
 */
export const refuseForeign = (path: string): Stats | undefined => {
	const inside = path.indexOf('/.hive/');
	if (inside < 0) return refuseLinksTo(path, refuseLink);
	// Git itself asks a person before it works in the checkout of another user.
	const owners = new Set([0, user, readStats(path.slice(0, inside) || '/')?.uid]);
	return refuseLinksTo(path, (stats, part) => {
		refuseLink(stats, part);
		if (!owners.has(stats.uid)) throw foreign(part, stats.uid);
	});
};

/** Folders seen in this turn: a run's files are written one after the other, and share their folders. */
const foldersOfTurn = createTurnCache<Stats>();

/** Call it after folders were moved or removed. */
export const forgetFolders = (): void => foldersOfTurn.clear();

const readStats = (path: string): Stats | undefined => {
	const known = foldersOfTurn.get(path);
	if (known) return known;
	const stats = lstatSync(path, statOptions);
	if (stats?.isDirectory()) foldersOfTurn.set(path, stats);
	return stats;
};

const foreign = (path: string, owner: number) =>
	new HiveError('internal', {
		message: `${path} belongs to another user (${owner}); hive does not write there.`,
		hint: 'Look at who put it there, then remove it or take it over with chown.',
	});

export const statOptions = {throwIfNoEntry: false} as const;

export const refuseLink = (stats: Stats, path: string): void => {
	if (stats.isSymbolicLink())
		throw unreadable(path, 'is a symbolic link; hive does not go through links there');
};

/** The detail names the offending path, which may be a folder that leads to the file. */
const unreadable = (path: string, message: string): HiveError =>
	new HiveError('internal', {
		message: `${path} ${message}.`,
		hint: 'Replace it with a real file or folder, then try again.',
		details: [{path, message}],
	});
