import {createHash} from 'node:crypto';
import {
	access,
	constants,
	copyFile,
	lstat,
	mkdir,
	open,
	readdir,
	readlink,
	rename,
	rm,
	rmdir,
	symlink,
	unlink,
} from 'node:fs/promises';
import {dirname} from 'node:path';
import {errorCode} from '../../domain/error-code.ts';
import {diskPath as at, pathText} from '../trees/paths.ts';

/** The files to move into a checkout, and a stamp of each path there, taken before git checked it. */
export type PlannedWrite = {
	readonly folder: string;
	readonly checkout: string;
	readonly entries: readonly Entry[];
	readonly deleted: readonly string[];
	readonly stamps: ReadonlyMap<string, string>;
};

type Entry = {readonly path: string; readonly isFolder: boolean};

/**
 * Lists a folder of new files and stamps their paths in the checkout, before these are checked. Paths in
 * `deleted` are relative to the checkout, in latin1, one character per byte.
 */
export const planWrite = async (
	folder: string,
	checkout: string,
	deleted: readonly string[],
): Promise<PlannedWrite> => {
	const entries = await listEntries(folder, '');
	const paths = [...deleted, ...entries.map(({path}) => path)];
	const stamps = await Promise.all(paths.map(async path => [path, await stampOf(checkout, path)] as const));
	return {folder, checkout, entries, deleted, stamps: new Map(stamps)};
};

/**
 * Moves each file to its path atomically, so that after a power loss it is whole, old or new. Its bytes are
 * synced to disk before it moves, and all moves are synced before this resolves. Returns the first path that
 * has changed since it was stamped, or that the system refuses. No file after that one has moved.
 */
export const writeFiles = async (
	{folder, checkout, entries, deleted, stamps}: PlannedWrite,
	moved: () => void,
): Promise<{path: string; message: string} | undefined> => {
	const isFolder = new Set(entries.filter(entry => entry.isFolder).map(({path}) => path));
	const files = entries.filter(entry => !entry.isFolder).map(({path}) => path);
	const steps = [
		...deleted.map(path => ({path, take: () => remove(checkout, path)})),
		...entries.map(({path}) => ({
			path,
			take: () =>
				isFolder.has(path)
					? makeFolder(checkout, path, stamps.get(path))
					: moveInto(at(folder, path), at(checkout, path)),
		})),
	];
	for (let first = 0; first < files.length; first += syncsAtOnce) {
		const group = files.slice(first, first + syncsAtOnce);
		const failures = await Promise.all(
			group.map(path => sync(at(folder, path)).then(() => undefined, formatError)),
		);
		const index = failures.findIndex(failed => failed !== undefined);
		if (index >= 0) return {path: pathText(group[index] ?? ''), message: failures[index] ?? ''};
	}
	for (const folder of new Set(steps.map(({path}) => dirname(path)))) {
		const failed = await expectWritable(at(checkout, folder)).then(() => undefined, formatError);
		if (failed !== undefined) return {path: pathText(folder), message: failed};
	}
	for (const {path, take} of steps) {
		const isSame = isFolder.has(path) || isStill(stamps.get(path), await stampOf(checkout, path));
		const failed = isSame ? await take().then(() => undefined, formatError) : 'was changed just now';
		if (failed !== undefined) return {path: pathText(path), message: failed};
		moved();
	}
	for (const path of new Set([...deleted, ...files].map(path => dirname(path))))
		await sync(at(checkout, path)).catch(() => {});
	return undefined;
};

/** Files synced at once. The disk takes about as long for many as for one; each is an open file. */
const syncsAtOnce = 64;

/** A folder that is missing now was removed with the last file in it. */
const isStill = (stamp: string | undefined, now: string): boolean =>
	now === stamp || (stamp === 'folder' && now === 'nothing');

/**
 * Syncs a file's bytes, or a folder's entries, to disk. A symbolic link has no bytes to sync; a folder may be
 * gone.
 */
const sync = async (path: Buffer): Promise<void> => {
	const stats = await lstat(path).catch(() => undefined);
	if (!stats?.isFile() && !stats?.isDirectory()) return;
	const opened = await open(path);
	try {
		await opened.sync();
	} finally {
		await opened.close();
	}
};

/** A folder that does not exist yet will be made in a parent that is checked too. */
const expectWritable = async (folder: Buffer): Promise<void> => {
	const stats = await lstat(folder).catch(() => undefined);
	if (stats?.isDirectory()) await access(folder, constants.W_OK | constants.X_OK);
};

const formatError = (error: Error): string => error.message;

/** Lists a folder before its contents. */
const listEntries = async (folder: string, inside: string): Promise<Entry[]> => {
	const names = await readdir(at(folder, inside), {encoding: 'latin1', withFileTypes: true});
	const lists = await Promise.all(
		names.map(async entry => {
			const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
			const below = entry.isDirectory() ? await listEntries(folder, path) : [];
			return [{path, isFolder: entry.isDirectory()}, ...below];
		}),
	);
	return lists.flat();
};

/** A stamp of the path. For a folder it says only that it is one, since this move changes its contents. */
const stampOf = async (checkout: string, path: string): Promise<string> => {
	const stats = await lstat(at(checkout, path), {bigint: true}).catch(() => undefined);
	if (stats === undefined) return 'nothing';
	return stats.isDirectory() ? 'folder' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
};

/**
 * Removes a file, with the folders that this leaves empty. The folder of a submodule stays while it has
 * anything in it.
 */
const remove = async (checkout: string, path: string): Promise<void> => {
	const stats = await lstat(at(checkout, path)).catch(() => undefined);
	if (stats === undefined) return;
	if (!stats.isDirectory()) await unlink(at(checkout, path));
	for (let folder = stats.isDirectory() ? path : dirname(path); folder !== '.'; folder = dirname(folder)) {
		const isGone = await rmdir(at(checkout, folder)).then(
			() => true,
			() => false,
		);
		if (!isGone) return;
	}
};

/** Makes the folder of a submodule in place of a file, unless the file has changed since its stamp. */
const makeFolder = async (checkout: string, path: string, stamp: string | undefined): Promise<void> => {
	const now = await stampOf(checkout, path);
	if (now === stamp && now !== 'folder' && now !== 'nothing') await unlink(at(checkout, path));
	await mkdir(at(checkout, path), {recursive: true});
};

/**
 * Renames the file into place. If the git folder is on another disk, the file is first copied next to its
 * path.
 */
const moveInto = async (from: Buffer, to: Buffer): Promise<void> => {
	await clearEmpty(to);
	try {
		await rename(from, to);
	} catch (error) {
		if (errorCode(error) !== 'EXDEV') throw error;
		await copyNextTo(from, to);
	}
};

/** The copy always has the same name, so that a retry removes what a crash left there. */
const copyNextTo = async (from: Buffer, to: Buffer): Promise<void> => {
	const name = createHash('sha256').update(to).digest('hex').slice(0, 16);
	const copy = Buffer.concat([to.subarray(0, to.lastIndexOf('/') + 1), Buffer.from(`.hive-${name}`)]);
	await rm(copy, {force: true});
	try {
		if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from, 'buffer'), copy);
		else await copyFile(from, copy);
		await sync(copy);
		await rename(copy, to);
	} finally {
		await rm(copy, {force: true});
	}
};

/** Removes a folder tree without files. Git overwrites such folders too. */
const clearEmpty = async (folder: Buffer): Promise<void> => {
	const stats = await lstat(folder).catch(() => undefined);
	if (!stats?.isDirectory()) return;
	for (const name of await readdir(folder, {encoding: 'buffer'})) {
		await clearEmpty(Buffer.concat([folder, Buffer.from('/'), name]));
	}
	await rmdir(folder);
};
