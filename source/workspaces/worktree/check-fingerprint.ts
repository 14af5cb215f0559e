import {createHash} from 'node:crypto';
import {lstat, readFile, readlink} from 'node:fs/promises';
import {join} from 'node:path';
import type {SetupCache} from '../../colony/colony.ts';
import type {Git} from '../../ports/git.ts';
import {listIgnored} from './copy-ignored.ts';

/** What shapes the result of a check besides the tree. */
export type CheckShape = {
	readonly commands: readonly (readonly string[])[];
	/** Commands of `workspaces.setup`, and ignored paths that are copied into the worktree. */
	readonly setup: readonly (readonly string[])[];
	readonly copy: readonly string[];
	readonly cache?: SetupCache;
};

/** Copied files up to this size count with their content, in bytes. Larger ones count by size and time. */
const maxHashedBytes = 1024 * 1024;

/**
 * Returns a fingerprint of everything that shapes a check but the tree: its commands, the setup of its
 * worktree, and the files that are copied into it. SHA-256 in hex.
 */
export const fingerprintCheck = async (git: Git, root: string, shape: CheckShape): Promise<string> => {
	const {commands, setup, copy, cache} = shape;
	const settings = [commands, setup, copy, ...(cache === undefined ? [] : [cache])];
	const hash = createHash('sha256').update(JSON.stringify(settings));
	const paths = copy.length === 0 ? [] : await listIgnored(git, root, copy);
	for (const path of paths.toSorted()) hash.update(`\0${path}\0${await stateOf(join(root, path))}`);
	return hash.digest('hex');
};

const stateOf = async (path: string): Promise<string> => {
	try {
		const stats = await lstat(path);
		if (stats.isSymbolicLink()) return `link ${await readlink(path)}`;
		if (stats.size > maxHashedBytes) return `${stats.size} ${stats.mtimeMs}`;
		return createHash('sha256')
			.update(await readFile(path))
			.digest('hex');
	} catch {
		return 'unreadable';
	}
};
