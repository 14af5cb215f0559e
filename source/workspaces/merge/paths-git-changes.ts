import {lstat, readFile} from 'node:fs/promises';
import type {Git} from '../../ports/git.ts';
import {diskPath} from '../trees/paths.ts';
import {writeSomeAside} from './write-aside.ts';

/**
 * Returns those of these paths whose file on disk differs from what git would write out of the given tree.
 * Paths are latin1, one character per byte.
 */
export const pathsGitChanges = async (
	git: Git,
	checkout: string,
	{tree, paths}: {readonly tree: string; readonly paths: readonly string[]},
): Promise<string[]> => {
	if (paths.length === 0) return [];
	return git.withScratch(checkout, async folder => {
		await writeSomeAside(git, checkout, {tree, paths, folder});
		const isSame = await Promise.all(
			paths.map(path => isWrittenAs(diskPath(checkout, path), diskPath(folder, path))),
		);
		return paths.filter((_, index) => !isSame[index]);
	});
};

/** Other than a regular file always counts as equal, since only file content goes through filters. */
const isWrittenAs = async (onDisk: Buffer, written: Buffer): Promise<boolean> => {
	const stats = await lstat(onDisk).catch(() => undefined);
	if (!stats?.isFile()) return true;
	const [mine, gits] = await Promise.all([readFile(onDisk), readFile(written).catch(() => undefined)]);
	return gits?.equals(mine) ?? false;
};
