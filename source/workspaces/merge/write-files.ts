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
import {diskPath, pathText} from '../trees/paths.ts';

/**
 * The files to move into a checkout. `stamps` has the state of each target path before git checked the paths.
 */
export type PlannedMove = {
	readonly folder: string;
	readonly checkout: string;
	readonly entries: readonly Entry[];
	readonly deleted: readonly string[];
	readonly stamps: ReadonlyMap<string, string>;
};

type Entry = {readonly path: string; readonly isFolder: boolean};

/**
 * Lists the new files in `folder`, and records the state of each target path. Call it before git checks the
 * paths. The paths in `deleted` are relative to the checkout, in latin1, one character per byte.
 */
export const planMove = async (
	folder: string,
	checkout: string,
	deleted: readonly string[],
): Promise<PlannedMove> => {
	const entries = await listEntries(folder, '');
	const paths = [...deleted, ...entries.map(({path}) => path)];
	const stamps = await Promise.all(paths.map(async path => [path, await stampOf(checkout, path)] as const));
	return {folder, checkout, entries, deleted, stamps: new Map(stamps)};
};

/**
 * Removes files, makes folders and renames files into place, one path after another. Each rename is atomic,
 * so after a power loss a file is whole, old or new. Files are synced to disk before the first step. Folders
 * are synced after the last step, as far as possible. Stops at the first path that has changed since its
 * stamp, or that the system refuses, and returns it.
 */
export const applyMove = async (
	{folder, checkout, entries, deleted, stamps}: PlannedMove,
	onStep: () => void,
): Promise<{path: string; message: string} | undefined> => {
	const folderPaths = new Set(entries.filter(entry => entry.isFolder).map(({path}) => path));
	const files = entries.filter(entry => !entry.isFolder).map(({path}) => path);
	const steps = [
		...deleted.map(path => ({path, run: () => remove(checkout, path)})),
		...entries.map(({path}) => ({
			path,
			run: () =>
				folderPaths.has(path)
					? makeFolder(checkout, path, stamps.get(path))
					: moveInto(diskPath(folder, path), diskPath(checkout, path)),
		})),
	];
	for (let start = 0; start < files.length; start += syncsAtOnce) {
		const group = files.slice(start, start + syncsAtOnce);
		const failures = await Promise.all(
			group.map(path => sync(diskPath(folder, path)).then(() => undefined, formatError)),
		);
		const index = failures.findIndex(failure => failure !== undefined);
		if (index >= 0) return {path: pathText(group[index] ?? ''), message: failures[index] ?? ''};
	}
	for (const folder of new Set(steps.map(({path}) => dirname(path)))) {
		const failure = await expectWritable(diskPath(checkout, folder)).then(() => undefined, formatError);
		if (failure !== undefined) return {path: pathText(folder), message: failure};
	}
	for (const {path, run} of steps) {
		const isSame = folderPaths.has(path) || isStill(stamps.get(path), await stampOf(checkout, path));
		const failure = isSame ? await run().then(() => undefined, formatError) : 'was changed just now';
		if (failure !== undefined) return {path: pathText(path), message: failure};
		onStep();
	}
	for (const path of new Set([...deleted, ...files].map(path => dirname(path))))
		await sync(diskPath(checkout, path)).catch(() => {});
	return undefined;
};

/** Maximum number of files synced in parallel. It is limited, since each is an open file. */
const syncsAtOnce = 64;

/** True if the path is unchanged. A missing folder counts too: `remove` deleted it with its last file. */
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

/** Throws if the folder exists and cannot be written. The parent of a missing folder is checked too. */
const expectWritable = async (folder: Buffer): Promise<void> => {
	const stats = await lstat(folder).catch(() => undefined);
	if (stats?.isDirectory()) await access(folder, constants.W_OK | constants.X_OK);
};

const formatError = (error: Error): string => error.message;

/** Lists a folder before its contents. */
const listEntries = async (folder: string, inside: string): Promise<Entry[]> => {
	const names = await readdir(diskPath(folder, inside), {encoding: 'latin1', withFileTypes: true});
	const lists = await Promise.all(
		names.map(async entry => {
			const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
			const below = entry.isDirectory() ? await listEntries(folder, path) : [];
			return [{path, isFolder: entry.isDirectory()}, ...below];
		}),
	);
	return lists.flat();
};

/**
 * State of the path: `nothing`, `folder`, or inode, size and times. A folder has no more, since this move
 * changes its entries.
 */
const stampOf = async (checkout: string, path: string): Promise<string> => {
	const stats = await lstat(diskPath(checkout, path), {bigint: true}).catch(() => undefined);
	if (stats === undefined) return 'nothing';
	return stats.isDirectory() ? 'folder' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
};

/**
 * Removes a file, with the folders that this leaves empty. The folder of a submodule stays while it has
 * anything in it.
 */
const remove = async (checkout: string, path: string): Promise<void> => {
	const stats = await lstat(diskPath(checkout, path)).catch(() => undefined);
	if (stats === undefined) return;
	if (!stats.isDirectory()) await unlink(diskPath(checkout, path));
	for (let folder = stats.isDirectory() ? path : dirname(path); folder !== '.'; folder = dirname(folder)) {
		const isGone = await rmdir(diskPath(checkout, folder)).then(
			() => true,
			() => false,
		);
		if (!isGone) return;
	}
};

/**
 * Makes a folder and its parents. Removes a file in its place; throws if the file has changed since its
 * stamp.
 */
const makeFolder = async (checkout: string, path: string, stamp: string | undefined): Promise<void> => {
	const now = await stampOf(checkout, path);
	if (now === stamp && now !== 'folder' && now !== 'nothing') await unlink(diskPath(checkout, path));
	await mkdir(diskPath(checkout, path), {recursive: true});
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

/**
 * Removes a folder that has only empty folders in it; throws if there is a file. Git replaces such folders
 * too.
 */
const clearEmpty = async (folder: Buffer): Promise<void> => {
	const stats = await lstat(folder).catch(() => undefined);
	if (!stats?.isDirectory()) return;
	for (const name of await readdir(folder, {encoding: 'buffer'})) {
		await clearEmpty(Buffer.concat([folder, Buffer.from('/'), name]));
	}
	await rmdir(folder);
};
