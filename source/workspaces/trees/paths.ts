import type {Git} from '../../ports/git.ts';
import {splitNul} from './objects.ts';

/** `A`, `M`, `D` or `T`; a rename is a deletion and an addition. */
export type ChangedPath = {readonly status: string; readonly path: string};

/**
 * Lists what differs between two trees or commits. Paths are decoded as latin1, so any byte of a file name
 * survives.
 */
export const changedFiles = async (
	git: Git,
	cwd: string,
	before: string,
	after: string,
): Promise<ChangedPath[]> => {
	const listing = [
		'diff-tree',
		'-r',
		'--no-renames',
		'--ignore-submodules=none',
		'--name-status',
		'-z',
		before,
		after,
	];
	return parseChanges(await git.run(listing, {cwd, asBytes: true}));
};

/** Converts a latin1 path for people and for git's arguments. */
export const pathText = (path: string): string => Buffer.from(path, 'latin1').toString();

/** Converts a latin1 path for the system. */
export const diskPath = (folder: string, path: string): Buffer =>
	Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);

/** Converts latin1 paths for git's `-z --stdin`. */
export const pathInput = (paths: readonly string[]): Buffer =>
	Buffer.from(paths.map(path => `${path}\0`).join(''), 'latin1');

const parseChanges = (listed: string): ChangedPath[] => {
	const fields = splitNul(listed);
	return Array.from({length: fields.length / 2}, (_, index) => ({
		status: fields[2 * index] ?? '',
		path: fields[2 * index + 1] ?? '',
	}));
};

/** The paths that equal one of the others, are inside one, or contain one. A folder may end in a slash. */
export const overlapping = (paths: readonly string[], others: readonly string[]): string[] => {
	const there = new Set(others.map(trim));
	const holders = new Set(others.flatMap(path => folders(trim(path))));
	return paths.filter(
		path =>
			there.has(trim(path)) ||
			holders.has(trim(path)) ||
			folders(trim(path)).some(folder => there.has(folder)),
	);
};

const trim = (path: string) => path.replace(/\/$/, '');

const folders = (path: string): string[] => {
	const parts = path.split('/');
	return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};
