import {readFile} from 'node:fs/promises';
import {setTimeout} from 'node:timers/promises';
import type {Git} from '../../ports/git.ts';
import {splitNul} from '../trees/objects.ts';
import {pathExists} from '../trees/path-exists.ts';

/** Files that exist in git's folder only while a command or an operation of the user is under way. */
const marks = [
	'index.lock',
	'HEAD.lock',
	'MERGE_HEAD',
	'CHERRY_PICK_HEAD',
	'REVERT_HEAD',
	'rebase-merge/head-name',
	'rebase-apply/applying',
	'rebase-apply/next',
];

/**
 * Timeout for a lock, in milliseconds. Editors and prompts hold one for a moment each time they query git
 * (docs/reliability.md §4).
 */
const lockTimeoutMs = 2000;
const lockPollMs = 20;

/**
 * Lists what is unfinished in a checkout: git's marks, a lock of the branch to be moved, and paths with an
 * unresolved merge.
 */
export const findUnderWay = async (git: Git, checkout: string, branch?: string): Promise<string[]> => {
	const [present, unmerged] = await Promise.all([
		findMarks(git, checkout, branch === undefined ? marks : [...marks, `${branch}.lock`]),
		listUnresolved(git, checkout),
	]);
	return [...present, ...unmerged];
};

/** Lists paths with an unresolved merge. Does not use `git diff`, which locks the index to rewrite it. */
export const listUnresolved = async (git: Git, cwd: string): Promise<string[]> => {
	const diffArguments = ['diff-files', '--name-only', '--diff-filter=U', '--ignore-submodules=dirty', '-z'];
	return [...new Set(splitNul(await git.run(diffArguments, {cwd})))];
};

/** Lists the locks that keep git from putting a checkout's files on its branch. */
export const findLocks = (git: Git, checkout: string, branch: string): Promise<string[]> =>
	findMarks(git, checkout, ['index.lock', 'HEAD.lock', `${branch}.lock`]);

const findMarks = async (git: Git, checkout: string, sought: readonly string[]): Promise<string[]> => {
	const locate = ['rev-parse', '--path-format=absolute', ...sought.flatMap(mark => ['--git-path', mark])];
	const paths = (await git.run(locate, {cwd: checkout})).split('\n');
	for (const began = performance.now(); ; await setTimeout(lockPollMs)) {
		const isPresent = await Promise.all(paths.map(pathExists));
		const present = paths.filter((_, index) => isPresent[index]);
		const mayGo = present.some(isLock) && present.every(isLock);
		if (!mayGo || performance.now() - began > lockTimeoutMs) return present;
	}
};

const isLock = (path: string): boolean => path.endsWith('.lock');

/**
 * Finds the mark of a rebase of that branch in the checkout. HEAD is detached during a rebase, which moves
 * the branch at its end.
 */
export const findRebaseOf = async (git: Git, checkout: string, branch: string): Promise<string[]> => {
	const notes = ['rebase-merge/head-name', 'rebase-apply/head-name'].flatMap(mark => ['--git-path', mark]);
	const paths = await git.run(['rev-parse', '--path-format=absolute', ...notes], {cwd: checkout});
	const heads = await Promise.all(paths.split('\n').map(path => readFile(path, 'utf8').catch(() => '')));
	return paths.split('\n').filter((_, index) => heads[index]?.trim() === branch);
};
