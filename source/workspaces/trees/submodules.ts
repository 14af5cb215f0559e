import {lstat, readdir, realpath} from 'node:fs/promises';
import {dirname, join, sep} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {splitNul} from './objects.ts';
import {pathExists} from './path-exists.ts';

/** Another repository's commit in the index of a checkout. */
export type Submodule = {
	readonly path: string;
	readonly commit: string;
	/** Its folder is a repository. */
	readonly isFilled: boolean;
};

/** Those that the checkout's index names, whether or not `.gitmodules` says where they come from. */
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

/** The submodule's folder, unless a link on the way leads out of the checkout. */
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
 * Files of a checkout that its commits cannot have, since they are in submodules: below one that is not
 * filled, and what is not committed in one that is.
 */
export const listInSubmodules = async (git: Git, checkout: string): Promise<string[]> => {
	const found = await Promise.all(
		(await listSubmodules(git, checkout)).map(async ({path, isFilled}) => {
			const folder = await folderOf(checkout, path);
			if (folder === undefined) return [];
			if (!isFilled) return (await listFiles(folder)).map(name => `${path}/${name}`);
			// What a run left broken there is named as a whole.
			const isOwn = await isOwnRepository(git, folder);
			const names = isOwn ? await listUncommitted(git, folder).catch(() => undefined) : undefined;
			return names?.map(name => `${path}/${name}`) ?? [path];
		}),
	);
	return found.flat();
};

/** Git takes a folder whose repository is broken for a part of the one around it. */
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

/** Of a folder with very many, as many as people can make use of. */
const mostFiles = 1000;

export const listFiles = async (folder: string): Promise<string[]> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	return entries
		.filter(entry => !entry.isDirectory())
		.slice(0, mostFiles)
		.map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1));
};

/**
 * Of a submodule's commits on any ref, or checked out, those that neither a remote has nor the twin of the
 * submodule.
 */
export const commitsOnlyIn = async (git: Git, folder: string, twin: string): Promise<string[]> => {
	const walk = ['rev-list', '--all', 'HEAD', '--not', '--remotes'];
	const {exitCode, stdout} = await git.attempt(walk, {cwd: folder});
	// Without a commit there is none to lose.
	if (exitCode !== 0) return [];
	return missingIn(git, twin, stdout.split('\n').filter(Boolean));
};

/**
 * Of these commits those that the repository of a folder does not have; all where there is no repository of
 * its own.
 */
export const missingIn = async (git: Git, folder: string, commits: readonly string[]): Promise<string[]> => {
	if (commits.length === 0 || !(await isOwnRepository(git, folder))) return [...commits];
	const check = ['cat-file', '--batch-check=%(objecttype)'];
	const types = (await git.run(check, {cwd: folder, input: `${commits.join('\n')}\n`})).split('\n');
	return commits.filter((_, index) => types[index] !== 'commit');
};

/** A checkout without it has no submodule that git could fill. */
export const mayHaveSubmodules = (checkout: string): Promise<boolean> =>
	pathExists(join(checkout, '.gitmodules'));
