import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../ports/git.ts';
import {splitNul} from './objects.ts';

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
			return {path, commit: entry.split(' ')[1] ?? '', isFilled: await isThere(join(checkout, path, '.git'))};
		}),
	);
};

/** A checkout without it has no submodule that git could fill. */
export const mayHaveSubmodules = (checkout: string): Promise<boolean> =>
	isThere(join(checkout, '.gitmodules'));

const isThere = (path: string): Promise<boolean> =>
	lstat(path).then(
		() => true,
		() => false,
	);
