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

/** What is to move into a checkout, and how each path there looked before anybody judged it. */
export type PlannedWrite = {
	readonly folder: string;
	readonly checkout: string;
	readonly entries: readonly Entry[];
	readonly deleted: readonly string[];
	readonly stamps: ReadonlyMap<string, string>;
};

type Entry = {readonly path: string; readonly isFolder: boolean};

/**
 * Looks at a folder of new files and at their paths in the checkout, before they are judged. Paths in
 * `deleted` are relative to the checkout, a byte a character.
 */
export const lookAt = async (
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
 * Moves each file to its path at once, so one that is there is whole, old or new, also after a loss of power:
 * its bytes are on the disk before it moves, and all are at their paths there before this ends. The answer is
 * the first path that has changed since it was looked at, or where the system refuses; what comes after it
 * has not moved.
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
			group.map(path => sync(at(folder, path)).then(() => undefined, wordsOf)),
		);
		const index = failures.findIndex(failed => failed !== undefined);
		if (index >= 0) return {path: pathText(group[index] ?? ''), message: failures[index] ?? ''};
	}
	for (const folder of new Set(steps.map(({path}) => dirname(path)))) {
		const failed = await expectWritable(at(checkout, folder)).then(() => undefined, wordsOf);
		if (failed !== undefined) return {path: pathText(folder), message: failed};
	}
	for (const {path, take} of steps) {
		const isSame = isFolder.has(path) || isStill(stamps.get(path), await stampOf(checkout, path));
		const failed = isSame ? await take().then(() => undefined, wordsOf) : 'was changed just now';
		if (failed !== undefined) return {path: pathText(path), message: failed};
		moved();
	}
	for (const path of new Set([...deleted, ...files].map(path => dirname(path))))
		await sync(at(checkout, path)).catch(() => {});
	return undefined;
};

/** The disk takes many together in little more time than one; each is an open file. */
const syncsAtOnce = 64;

/** A folder that is gone by now went with the last file in it. */
const isStill = (stamp: string | undefined, now: string): boolean =>
	now === stamp || (stamp === 'folder' && now === 'nothing');

/**
 * Waits until a file's bytes, or a folder's names, are on the disk. A link has none of its own; a folder may
 * be gone.
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

/** One that is not there yet is made in another that is looked at too. */
const expectWritable = async (folder: Buffer): Promise<void> => {
	const stats = await lstat(folder).catch(() => undefined);
	if (stats?.isDirectory()) await access(folder, constants.W_OK | constants.X_OK);
};

const wordsOf = (error: Error): string => error.message;

/** A folder comes before what is in it. */
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

/** Of a folder only that it is one: what is in it changes here. */
const stampOf = async (checkout: string, path: string): Promise<string> => {
	const stats = await lstat(at(checkout, path), {bigint: true}).catch(() => undefined);
	if (stats === undefined) return 'nothing';
	return stats.isDirectory() ? 'folder' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
};

/** With the folders that it leaves empty. The folder of a submodule stays while anything is in it. */
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

/** A file gives way to the folder of a submodule, unless it has changed since its stamp was taken. */
const makeFolder = async (checkout: string, path: string, stamp: string | undefined): Promise<void> => {
	const now = await stampOf(checkout, path);
	if (now === stamp && now !== 'folder' && now !== 'nothing') await unlink(at(checkout, path));
	await mkdir(at(checkout, path), {recursive: true});
};

/** Where the git folder is on another disk the file is copied next to its path first. */
const moveInto = async (from: Buffer, to: Buffer): Promise<void> => {
	await clearEmpty(to);
	try {
		await rename(from, to);
	} catch (error) {
		if (errorCode(error) !== 'EXDEV') throw error;
		await copyNextTo(from, to);
	}
};

/** Always under the same name, so that a repetition clears away what a crash left there. */
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

/** Folders without a file in them are in nobody's way, as for git. */
const clearEmpty = async (folder: Buffer): Promise<void> => {
	const stats = await lstat(folder).catch(() => undefined);
	if (!stats?.isDirectory()) return;
	for (const name of await readdir(folder, {encoding: 'buffer'})) {
		await clearEmpty(Buffer.concat([folder, Buffer.from('/'), name]));
	}
	await rmdir(folder);
};
