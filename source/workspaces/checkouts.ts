import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../ports/git.ts';

/** One working tree of the repository, as `git worktree list` has it. */
export type Checkout = {
	/** Absolute, links resolved. */
	readonly path: string;
	/** Full ref of the branch; absent when HEAD is detached. */
	readonly branch?: string;
	/** Why it is locked. */
	readonly locked?: string;
	/** Its folder is gone, or has lost its link to the repository. */
	readonly missing: boolean;
};

export const listCheckouts = async (git: Git, root: string): Promise<Checkout[]> => {
	const text = await git.run(['worktree', 'list', '--porcelain', '-z'], {cwd: root});
	const [main, ...linked] = text
		.split('\0\0')
		.filter(Boolean)
		.map(entry => parseCheckout(entry.split('\0')));
	return main === undefined ? [] : [{...main, path: await filesOf(git, root, main.path)}, ...linked];
};

/** Where the files of the main checkout are: where its git folder is elsewhere, git lists that folder. */
const filesOf = async (git: Git, root: string, listed: string): Promise<string> => {
	if (await lstat(join(listed, '.git')).catch(() => undefined)) return listed;
	const asked = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir', '--show-toplevel'];
	const [own, common, top = ''] = (await git.run(asked, {cwd: root})).split('\n');
	return own === common ? top : listed;
};

const parseCheckout = (lines: readonly string[]): Checkout => {
	const value = (key: string) =>
		lines.find(line => line === key || line.startsWith(`${key} `))?.slice(key.length + 1);
	const branch = value('branch');
	const locked = value('locked');
	return {
		path: value('worktree') ?? '',
		missing: value('prunable') !== undefined,
		...(branch === undefined ? {} : {branch}),
		...(locked === undefined ? {} : {locked}),
	};
};
