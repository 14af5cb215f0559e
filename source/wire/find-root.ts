import {lstatSync, type Stats, statSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {HiveError} from '../domain/errors.ts';

/**
 * Returns the absolute root of the checkout around a folder, from a few small reads and without starting git.
 * From inside a trace worktree it is the checkout that owns the worktree. Throws `not_a_repository`.
 */
export const findRoot = async (folder: string): Promise<string> => {
	if (statIfThere(folder) === undefined)
		throw new HiveError('not_a_repository', {message: `There is no folder ${folder}.`});
	for (let at = path.resolve(folder); ; at = path.dirname(at)) {
		const mark = path.join(at, '.git');
		const found = statIfThere(mark);
		if (found?.isDirectory() && (isGitFolder(mark) || isColony(at))) return at;
		if (found?.isFile()) return (await ownerOfWorktree(at, mark)) ?? at;
		if (at === path.dirname(at) && isGitFolder(path.resolve(folder)))
			throw await bareRepository(path.resolve(folder));
		if (at === path.dirname(at))
			throw new HiveError('not_a_repository', {message: `${folder} is not in a git repository.`});
	}
};

/**
 * True if the folder meets git's own conditions. If not, git continues in the parent folder, and so does this
 * code.
 */
const isGitFolder = (folder: string): boolean =>
	['HEAD', 'objects', 'refs'].every(name => linkStatIfThere(path.join(folder, name)) !== undefined);

/** Returns the error for a bare repository, with its worktrees, whose locations git records in it. */
const bareRepository = async (folder: string): Promise<HiveError> => {
	const records = path.join(folder, 'worktrees');
	const names = await readdir(records).catch(() => []);
	const links = await Promise.all(
		names.map(name => readFile(path.join(records, name, 'gitdir'), 'utf8').catch(() => '')),
	);
	const worktrees = links.map(link => path.dirname(link.trim())).filter(path.isAbsolute);
	return new HiveError('not_a_repository', {
		message: `${folder} is a bare repository: it has no files to work on.`,
		hint:
			worktrees.length === 0
				? `Make a worktree with "git -C '${folder}' worktree add <folder> <branch>", and run it there.`
				: `Run it in one of its worktrees, for example with "-C '${worktrees[0]}'".`,
		details: worktrees.map(worktree => ({path: worktree, message: 'is its worktree'})),
	});
};

/**
 * True if the folder is a colony, so its `.git` was intact once. The code that needs `.git` reports the
 * damage.
 */
const isColony = (root: string): boolean => statIfThere(path.join(root, '.hive/colony.yaml')) !== undefined;

/** Uses lstat: an old `HEAD` may be a link to a branch that has no commit yet. */
const linkStatIfThere = (file: string): Stats | undefined => {
	try {
		return lstatSync(file);
	} catch {
		return undefined;
	}
};

const statIfThere = (file: string): Stats | undefined => {
	try {
		return statSync(file);
	} catch {
		return undefined;
	}
};

/**
 * Returns the checkout that owns a trace worktree, which is in its `.hive/worktrees`. Any other linked
 * worktree is a checkout of its own.
 */
const ownerOfWorktree = async (worktree: string, mark: string): Promise<string | undefined> => {
	const [root, inside] = worktree.split('/.hive/worktrees/');
	if (root === undefined || inside === undefined) return undefined;
	const gitDirectory = /^gitdir: (.*)$/m.exec(await readFile(mark, 'utf8'))?.[1];
	return gitDirectory?.startsWith(path.join(root, '.git') + path.sep) ? root : undefined;
};
