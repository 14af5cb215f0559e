import {lstat, readdir, realpath} from 'node:fs/promises';
import {dirname, join, sep} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {splitNul} from './objects.ts';
import {pathExists} from './path-exists.ts';

/** A gitlink (another repository's commit) in the index of a checkout. */
export type Submodule = {
	readonly path: string;
	readonly commit: string;
	/** True if its folder is a repository. */
	readonly isFilled: boolean;
};

/** Lists the submodules in the checkout's index, whether or not `.gitmodules` has a URL for them. */
export const listSubmodules = async (git: Git, checkout: string): Promise<Submodule[]> => {
	const staged = splitNul(await git.run(['ls-files', '--stage', '-z'], {cwd: checkout}));
	const links = staged.filter(entry => entry.startsWith('160000 '));
	return Promise.all(
		links.map(async entry => {
			const path = entry.slice(entry.indexOf('\t') + 1);
			return {
				path,
				commit: entry.split(' ')[1] ?? '',
				isFilled: await pathExists(join(checkout, path, '.git')),
			};
		}),
	);
};

/** Returns the submodule's folder; undefined if a link on its path leads out of the checkout. */
export const folderOf = async (checkout: string, path: string): Promise<string | undefined> => {
	const folder = join(checkout, path);
	try {
		const [outer, around] = await Promise.all([realpath(checkout), realpath(dirname(folder))]);
		const isInside = around === outer || around.startsWith(outer + sep);
		return isInside && (await lstat(folder)).isDirectory() ? folder : undefined;
	} catch {
		return undefined;
	}
};

/**
 * Lists files of a checkout that its commits cannot contain because they are in submodules. These are all
 * files if the submodule has no repository, else the uncommitted ones.
 */
export const listInSubmodules = async (git: Git, checkout: string): Promise<string[]> => {
	const found = await Promise.all(
		(await listSubmodules(git, checkout)).map(async ({path, isFilled}) => {
			const folder = await folderOf(checkout, path);
			if (folder === undefined) return [];
			if (!isFilled) return (await listFiles(folder)).map(name => `${path}/${name}`);
			// A submodule that a run left broken is listed as a whole.
			const isOwn = await isOwnRepository(git, folder);
			const names = isOwn ? await listUncommitted(git, folder).catch(() => undefined) : undefined;
			return names?.map(name => `${path}/${name}`) ?? [path];
		}),
	);
	return found.flat();
};

/** False for a folder whose repository is broken: git takes it for a part of the one around it. */
export const isOwnRepository = async (git: Git, folder: string): Promise<boolean> =>
	(await pathExists(join(folder, '.git'))) &&
	git.folders(folder).then(
		({prefix}) => prefix === '',
		() => false,
	);

const listUncommitted = async (git: Git, folder: string): Promise<string[]> => {
	const status = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=dirty'];
	const entries = splitNul(await git.run(status, {cwd: folder})).map(entry => entry.slice(3));
	return [...entries, ...(await listInSubmodules(git, folder))];
};

/** Maximum files listed of one folder: more are of no use to people. */
const maxFiles = 1000;

export const listFiles = async (folder: string): Promise<string[]> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	return entries
		.filter(entry => !entry.isDirectory())
		.slice(0, maxFiles)
		.map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1));
};

/**
 * Lists commits of a submodule, on any ref or checked out, that neither a remote nor the submodule's twin
 * has.
 */
export const commitsOnlyIn = async (git: Git, folder: string, twin: string): Promise<string[]> => {
	const walk = ['rev-list', '--all', 'HEAD', '--not', '--remotes'];
	const {exitCode, stdout} = await git.attempt(walk, {cwd: folder});
	// A repository without a commit has none to lose.
	if (exitCode !== 0) return [];
	return missingIn(git, twin, stdout.split('\n').filter(Boolean));
};

/**
 * Returns those of these commits that the folder's repository lacks; all if the folder has no repository of
 * its own.
 */
export const missingIn = async (git: Git, folder: string, commits: readonly string[]): Promise<string[]> => {
	if (commits.length === 0 || !(await isOwnRepository(git, folder))) return [...commits];
	const check = ['cat-file', '--batch-check=%(objecttype)'];
	const types = (await git.run(check, {cwd: folder, input: `${commits.join('\n')}\n`})).split('\n');
	return commits.filter((_, index) => types[index] !== 'commit');
};

/** False if `.gitmodules` is missing: then git can fill no submodule. */
export const mayHaveSubmodules = (checkout: string): Promise<boolean> =>
	pathExists(join(checkout, '.gitmodules'));
