import {randomBytes} from 'node:crypto';
import {lstat, mkdir, readdir, readFile, realpath, rename, rm, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {errorMessage} from '../../domain/error-message.ts';
import {isInside} from '../worktree/stays-inside.ts';
import {CannotCopy, type CopiedTree, copyTree} from './copy-tree.ts';

/**
 * The kept results of `workspaces.setup` of one checkout, below its machine-local folder, which no contained
 * run can see. An entry is a folder named by its key. It is made beside and renamed, so it is whole or
 * absent.
 */
export const setupCacheFolder = (machineDir: string): string => join(machineDir, 'setup-cache');

/** Max number of entries, and of bytes in all of them. */
export const maxEntries = 4;
const maxBytes = 8 * 1024 ** 3;

/** A copy takes no longer, so a folder that is older was left by a crash. In milliseconds. */
const leftAfterMs = 60 * 60_000;

type Paths = {readonly [path: string]: CopiedTree};

export type CacheEntry = {
	readonly key: string;
	readonly folder: string;
	readonly bytes: number;
	/** When it was made or last copied from, in milliseconds since 1970. */
	readonly usedAt: number;
};

const recordName = 'entry.json';

/** Lists the entries, the last used first. */
export const listEntries = async (folder: string): Promise<readonly CacheEntry[]> => {
	const names = (await readdir(folder).catch(() => [])).filter(isKey);
	const entries = await Promise.all(
		names.map(async (key): Promise<CacheEntry[]> => {
			const record = join(folder, key, recordName);
			const stats = await lstat(record).catch(() => undefined);
			const bytes = Object.values((await readPaths(folder, key)) ?? {}).reduce(
				(sum, one) => sum + one.bytes,
				0,
			);
			return [{key, folder: join(folder, key), bytes, usedAt: stats?.mtimeMs ?? 0}];
		}),
	);
	return entries.flat().sort((one, other) => other.usedAt - one.usedAt);
};

const isKey = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** The record is in hive's own folder; one that cannot be read counts as absent. */
const readPaths = async (folder: string, key: string): Promise<Paths | undefined> => {
	try {
		return JSON.parse(await readFile(join(folder, key, recordName), 'utf8')).paths;
	} catch {
		return undefined;
	}
};

export const hasEntry = async (folder: string, key: string): Promise<boolean> =>
	(await readPaths(folder, key)) !== undefined;

/** A worktree, and the paths in it that setup makes. */
type CachedPaths = {readonly worktree: string; readonly paths: readonly string[]};

/**
 * Copies an entry's paths into a worktree that has none of them. Returns why it could not. Then nothing of
 * them is left there, and the entry is removed if it is not as it was made.
 */
export const takeEntry = async (
	folder: string,
	key: string,
	{worktree, paths}: CachedPaths,
): Promise<string | undefined> => {
	const recorded = (await readPaths(folder, key)) ?? {};
	const from = join(folder, key, 'files');
	try {
		for (const path of paths) {
			const copied = await copyTree(path, {from, to: worktree, maxBytes});
			if (copied.digest === recorded[path]?.digest) continue;
			await removeEntry(folder, key);
			throw new CannotCopy('the kept files were changed');
		}
		const now = new Date();
		await utimes(join(folder, key, recordName), now, now);
		return undefined;
	} catch (error) {
		await removePaths(worktree, paths);
		return errorMessage(error);
	}
};

/** True if nothing is at the path, and no link on the way leads out of the worktree. */
export const hasRoomFor = async (worktree: string, path: string): Promise<boolean> =>
	(await isInside(await realpath(worktree), dirname(join(worktree, path)))) &&
	(await lstat(join(worktree, path)).catch(() => undefined)) === undefined;

/** Removes paths that a copy into the worktree made. */
export const removePaths = async (worktree: string, paths: readonly string[]): Promise<void> => {
	const real = await realpath(worktree);
	for (const path of paths)
		if (await isInside(real, dirname(join(worktree, path))))
			await rm(join(worktree, path), {recursive: true, force: true});
};

/**
 * Keeps the worktree's files at these paths under the key, and removes the entries that were not used for the
 * longest time beyond the limits. Returns why nothing was kept.
 */
export const keepEntry = async (
	folder: string,
	key: string,
	{worktree, paths}: CachedPaths,
): Promise<string | undefined> => {
	await removeLeft(folder);
	if (!(await hasEntry(folder, key))) await removeEntry(folder, key);
	const made = join(folder, `${key}.${randomBytes(8).toString('hex')}.tmp`);
	try {
		await mkdir(join(made, 'files'), {recursive: true, mode: 0o700});
		const real = await realpath(worktree);
		const kept: Record<string, CopiedTree> = {};
		let left = maxBytes;
		for (const path of paths) {
			const found = await lstat(join(worktree, path)).catch(() => undefined);
			if (found === undefined) throw new CannotCopy(`setup did not make ${path}`);
			if (found.isSymbolicLink() || !(await isInside(real, dirname(join(worktree, path)))))
				throw new CannotCopy(`${path} is a link`);
			const copied = await copyTree(path, {from: worktree, to: join(made, 'files'), maxBytes: left});
			kept[path] = copied;
			left -= copied.bytes;
		}
		await writeFile(join(made, recordName), JSON.stringify({paths: kept}), {mode: 0o600});
		// Refused where another process kept the same meanwhile.
		await rename(made, join(folder, key)).catch(() => {});
		await evict(folder);
		return undefined;
	} catch (error) {
		return errorMessage(error);
	} finally {
		await rm(made, {recursive: true, force: true});
	}
};

const evict = async (folder: string): Promise<void> => {
	let bytes = 0;
	for (const [index, entry] of (await listEntries(folder)).entries()) {
		bytes += entry.bytes;
		if (index >= maxEntries || bytes > maxBytes) await removeEntry(folder, entry.key);
	}
};

/** Renames it first, so that an entry is never partly there. */
export const removeEntry = async (folder: string, key: string): Promise<void> => {
	const away = join(folder, `${key}.${randomBytes(8).toString('hex')}.tmp`);
	if (
		await rename(join(folder, key), away).then(
			() => true,
			() => false,
		)
	)
		await rm(away, {recursive: true, force: true});
};

const removeLeft = async (folder: string): Promise<void> => {
	for (const name of await readdir(folder).catch(() => [])) {
		const stats = isKey(name) ? undefined : await lstat(join(folder, name)).catch(() => undefined);
		if (stats !== undefined && Date.now() - stats.mtimeMs > leftAfterMs)
			await rm(join(folder, name), {recursive: true, force: true});
	}
};
