import {lstatSync, type Stats} from 'node:fs';
import {HiveError} from '../domain/errors.ts';
import {mostConfigurationBytes} from '../ports/files.ts';
import {createTurnMemory} from './turn-memory.ts';

/**
 * Agents and clones write there too, and could lead a reader to any file of the user's: no link is followed.
 */
export const isWatchful = (path: string): boolean => path.includes('/.hive/runs/') || isConfiguration(path);

/** Files below `.hive` but those of runs, worktrees and the cache. */
export const isConfiguration = (path: string): boolean => {
	const inside = path.indexOf('/.hive/');
	return inside >= 0 && !/^(?:runs|worktrees|cache)(?:\/|$)/.test(path.slice(inside + 7));
};

/** A device may have no end, and a pipe keeps its reader waiting. */
export const refuseStrange = (stats: Stats, path: string): void => {
	if (!stats.isFile()) throw unreadable(path, 'is no regular file; hive reads none but those there');
	if (isConfiguration(path) && stats.size > mostConfigurationBytes)
		throw unreadable(
			path,
			`is larger than ${mostConfigurationBytes / 1024 ** 2} MiB; hive reads no such file there`,
		);
};

/**
 * Checks the path, and below `.hive` every folder that leads to it, within a turn of the event loop. What is
 * there is the answer. The folder that it is in, which is its agent's own, is looked at each time.
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
		check(folder, next < 0 ? lstatSync(folder, quietly) : lookAt(folder));
		end = next;
	}
	return check(path, lstatSync(path, quietly));
};

const user = process.geteuid?.();

/** As for links: who owns what leads to a file can exchange it for one. */
export const refuseForeign = (path: string): Stats | undefined => {
	const inside = path.indexOf('/.hive/');
	if (inside < 0) return refuseLinksTo(path, refuseLink);
	// Git itself asks a person before it works in the checkout of another user.
	const owners = new Set([0, user, lookAt(path.slice(0, inside) || '/')?.uid]);
	return refuseLinksTo(path, (stats, part) => {
		refuseLink(stats, part);
		if (!owners.has(stats.uid)) throw foreign(part, stats.uid);
	});
};

/** A run's files are written one after the other, and have their folders in common. */
const foldersOfTurn = createTurnMemory<Stats>();

/** After folders were moved or removed. */
export const forgetFolders = (): void => foldersOfTurn.clear();

const lookAt = (path: string): Stats | undefined => {
	const known = foldersOfTurn.get(path);
	if (known) return known;
	const stats = lstatSync(path, quietly);
	if (stats?.isDirectory()) foldersOfTurn.set(path, stats);
	return stats;
};

const foreign = (path: string, owner: number) =>
	new HiveError('internal', {
		message: `${path} belongs to another user (${owner}); hive does not write there.`,
		hint: 'Look at who put it there, then remove it or take it over with chown.',
	});

export const quietly = {throwIfNoEntry: false} as const;

export const refuseLink = (stats: Stats, path: string): void => {
	if (stats.isSymbolicLink())
		throw unreadable(path, 'is a symbolic link; hive does not go through links there');
};

/** The detail names what is in the way, which may be a folder that leads to the file. */
const unreadable = (path: string, message: string): HiveError =>
	new HiveError('internal', {
		message: `${path} ${message}.`,
		hint: 'Replace it with a real file or folder, then try again.',
		details: [{path, message}],
	});
