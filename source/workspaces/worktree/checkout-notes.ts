import {lstat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {currentBase} from '../merge/base.ts';
import {splitNul} from '../trees/objects.ts';
import {listSubmodules, mayHaveSubmodules} from '../trees/submodules.ts';

/** A property of a checkout that hinders a merge or its checks, and the remedy. */
export type CheckoutNote = {
	readonly kind: 'detached-head' | 'hooks-not-run' | 'submodules-empty';
	/** Absolute, or relative to the root of the checkout. */
	readonly path: string;
	readonly message: string;
	readonly fix: string;
};

/**
 * Shown by `hive init` and `hive doctor` and, without the hooks, at the start of a reactor, before honey is
 * spent.
 */
export const readCheckoutNotes = async (git: Git, root: string): Promise<readonly CheckoutNote[]> => {
	const notes = await Promise.all([noteDetached(git, root), noteHooks(git, root), noteSubmodules(git, root)]);
	return notes.flat();
};

/** The note as a sentence, with the next step. */
export const sentenceOf = ({path, message, fix}: CheckoutNote): string => `${path}: ${message}. ${fix}`;

export const detachedNote = (root: string): CheckoutNote => ({
	kind: 'detached-head',
	path: root,
	message: 'no branch is checked out (HEAD is detached), so new work has no branch to be merged into',
	fix: 'Check one out with "git switch <branch>" before a trace begins, or name one with --base; or approve with --no-merge, and merge hive/<trace> with git.',
});

const noteDetached = async (git: Git, root: string): Promise<CheckoutNote[]> => {
	const base = await currentBase(git, root);
	return base !== undefined && base.ref === '' ? [detachedNote(root)] : [];
};

/** Hooks that can prevent a commit or a merge. */
const guards = [
	'pre-commit',
	'pre-merge-commit',
	'prepare-commit-msg',
	'commit-msg',
	'reference-transaction',
];

const noteHooks = async (git: Git, root: string): Promise<CheckoutNote[]> => {
	const folder = await hooksFolder(git, root);
	const areActive = await Promise.all(guards.map(name => isProgram(join(folder, name))));
	const configured = (await git.settings(root)).flatMap(({scope, key, value}) =>
		scope !== 'command' && /^hook\..*\.event$/.test(key) && guards.includes(value) ? [value] : [],
	);
	const names = [...new Set([...guards.filter((_, index) => areActive[index]), ...configured])];
	if (names.length === 0) return [];
	return [
		{
			kind: 'hooks-not-run',
			path: folder,
			message: `hive runs no hooks, so ${names.join(', ')} will not guard what it commits and merges`,
			fix: 'Run their checks with "verify" in .hive/colony.yaml; or approve with --no-merge, and merge hive/<trace> with git, which runs them.',
		},
	];
};

/**
 * The folder in which git finds hooks when a person runs it. A setting with the scope of this command is
 * hive's own.
 */
const hooksFolder = async (git: Git, root: string): Promise<string> => {
	const {common} = await git.folders(root);
	const settings = await git.settings(root);
	if (!settings.some(({scope, key}) => scope !== 'command' && key === 'core.hookspath'))
		return join(common, 'hooks');
	const ask = ['config', '--show-scope', '--type=path', '-z', '--get-all', 'core.hooksPath'];
	const fields = splitNul((await git.attempt(ask, {cwd: root})).stdout);
	const own = fields.filter((_, at) => at % 2 === 1 && fields[at - 1] !== 'command');
	return resolve(root, own.at(-1) ?? join(common, 'hooks'));
};

const isProgram = async (path: string): Promise<boolean> => {
	const stats = await lstat(path).catch(() => undefined);
	return stats !== undefined && (stats.isSymbolicLink() || (stats.isFile() && (stats.mode & 0o111) !== 0));
};

const noteSubmodules = async (git: Git, root: string): Promise<CheckoutNote[]> => {
	if (!(await mayHaveSubmodules(root))) return [];
	const empty = (await listSubmodules(git, root)).filter(({isFilled}) => !isFilled).map(({path}) => path);
	return empty.map(path => ({
		kind: 'submodules-empty',
		path,
		message: 'the submodule is not checked out, so it is an empty folder in new worktrees',
		fix: `Check it out with "git submodule update --init -- '${path}'", or leave it out of the work.`,
	}));
};
