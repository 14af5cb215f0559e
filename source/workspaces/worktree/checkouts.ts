import {lstat, readFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import type {Git} from '../../ports/git.ts';

/** One working tree of the repository, as `git worktree list` reports it. */
export type Checkout = {
	/** Absolute, links resolved. */
	readonly path: string;
	/** Full ref of the branch; absent when HEAD is detached. */
	readonly branch?: string;
	/** Why it is locked. */
	readonly locked?: string;
	/** True if its folder is gone, or has lost its link to the repository. */
	readonly missing: boolean;
};

export const listCheckouts = async (git: Git, root: string): Promise<Checkout[]> => {
	const text = await git.run(['worktree', 'list', '--porcelain', '-z'], {cwd: root});
	const [main, ...linked] = text
		.split('\0\0')
		.filter(Boolean)
		.map(entry => parseCheckout(entry.split('\0')));
	const path = main && (await filesOf(git, root, main));
	return main === undefined || path === undefined ? linked : [{...main, path}, ...linked];
};

/**
 * Returns the folder of the main checkout's files. If its git folder is elsewhere, git lists that folder
 * instead. Undefined if there is no main checkout.
 */
const filesOf = async (
	git: Git,
	root: string,
	{path: listed, isBare}: Listed,
): Promise<string | undefined> => {
	if (isBare) return undefined;
	if (await lstat(join(listed, '.git')).catch(() => undefined)) return listed;
	const asked = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir', '--show-toplevel'];
	const [own, common, top = ''] = (await git.run(asked, {cwd: root})).split('\n');
	if (own === common) return top;
	// Settings of the main checkout alone are visible only from there.
	const here = {cwd: listed};
	const bare = await git.attempt(['rev-parse', '--is-bare-repository'], here);
	if (bare.stdout.trim() === 'true') return undefined;
	const {stdout} = await git.attempt(['config', '--get', 'core.worktree'], here);
	const files = resolve(listed, stdout.trim());
	return stdout.trim() !== '' && (await isLinkedTo(files, listed)) ? files : listed;
};

/** The link is checked because the setting alone could lead anywhere. */
const isLinkedTo = async (files: string, own: string): Promise<boolean> => {
	const link = await readFile(join(files, '.git'), 'utf8').catch(() => '');
	return resolve(files, /^gitdir: (.+)\n?$/.exec(link)?.[1] ?? '') === own;
};

type Listed = Checkout & {readonly isBare: boolean};

const parseCheckout = (lines: readonly string[]): Listed => {
	const value = (key: string) =>
		lines.find(line => line === key || line.startsWith(`${key} `))?.slice(key.length + 1);
	const branch = value('branch');
	const locked = value('locked');
	return {
		path: value('worktree') ?? '',
		missing: value('prunable') !== undefined,
		isBare: value('bare') !== undefined,
		...(branch === undefined ? {} : {branch}),
		...(locked === undefined ? {} : {locked}),
	};
};
