import {constants} from 'node:fs';
import {copyFile, lstat, mkdir, readlink, realpath, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {errorCode} from '../../domain/error-code.ts';
import type {Git} from '../../ports/git.ts';
import {splitNul} from '../trees/objects.ts';
import {isInside, staysInside} from './stays-inside.ts';
import {worktreesFolder} from './worktree-state.ts';

/**
 * Copies ignored files of the colony root into a new worktree (docs/architecture.md §5). `paths` are relative
 * to the root, with the wildcards of .gitignore; everything at or below them is copied. Existing files stay.
 * Nothing is read or written outside the two checkouts, not even through links. Returns what was not copied
 * and why.
 */
export const copyIgnored = async (
	git: Git,
	root: string,
	worktree: string,
	paths: readonly string[],
): Promise<readonly string[]> => {
	if (paths.length === 0) return [];
	const outer = await realpath(worktree);
	const left: string[] = [];
	for (const path of await listIgnored(git, root, paths)) {
		const problem = await copyOne(root, outer, path);
		if (problem !== undefined) left.push(`${path}: ${problem}`);
	}
	return left;
};

/** Lists files and links. Nested repositories, which end in a slash, and hive's own folders are left out. */
export const listIgnored = async (git: Git, root: string, paths: readonly string[]): Promise<string[]> => {
	const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--'];
	const patterns = paths.map(path => `:(glob)${path}`);
	const own = [`${worktreesFolder}/`, '.hive/runs/', '.hive/cache/'];
	return splitNul(await git.run([...args, ...patterns], {cwd: root})).filter(
		path => !path.endsWith('/') && !own.some(folder => path.startsWith(folder)),
	);
};

const copyOne = async (root: string, worktree: string, path: string): Promise<string | undefined> => {
	const [from, to] = [join(root, path), join(worktree, path)];
	try {
		if (!(await isInside(worktree, dirname(to)))) return 'its folder leads out of the worktree';
		await mkdir(dirname(to), {recursive: true});
		if ((await lstat(from)).isSymbolicLink()) return await copyLink(path, from, to);
		await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
		return undefined;
	} catch (error) {
		return errorCode(error) === 'EEXIST' ? undefined : String(error);
	}
};

/** A link to a target in its own checkout points to the same path in the other one. */
const copyLink = async (path: string, from: string, to: string): Promise<string | undefined> => {
	const target = await readlink(from);
	if (!staysInside(path, target)) return 'it is a link that leads out of the checkout';
	await symlink(target, to);
	return undefined;
};
