import type {Git} from '../../ports/git.ts';
import type {TraceTip} from '../worktree/trace-tip.ts';
import {splitNul} from './objects.ts';

/**
 * Lists folders of a trace's work that are git repositories of their own and that no `.gitmodules` gives a
 * URL for. A merge would contain none of their files, at most the id of a commit that exists nowhere else.
 * @param fork where the work leaves its base
 */
export const findNestedRepositories = async (
	git: Git,
	root: string,
	{fork, tip}: {readonly fork: string; readonly tip: TraceTip},
): Promise<string[]> => {
	const [linked, known, untracked] = await Promise.all([
		listLinked(git, root, fork, tip.commit),
		listSubmodules(git, root, tip.commit),
		tip.worktree === undefined ? [] : listUntrackedRepositories(git, tip.worktree),
	]);
	const nested = new Set([...linked, ...untracked]);
	return [...nested].filter(path => !known.has(path));
};

/** Lists the changed paths that are a gitlink (another repository's commit) in the second tree. */
const listLinked = async (git: Git, cwd: string, before: string, after: string): Promise<string[]> => {
	const args = ['diff-tree', '-r', '--no-renames', '--ignore-submodules=none', '--raw', '-z', before, after];
	const fields = splitNul(await git.run(args, {cwd}));
	return fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.split(' ')[1] === '160000');
};

const listSubmodules = async (git: Git, cwd: string, commit: string): Promise<ReadonlySet<string>> => {
	const paths = ['--get-regexp', String.raw`^submodule\..*\.path$`];
	const {stdout} = await git.attempt(['config', '--blob', `${commit}:.gitmodules`, '-z', ...paths], {cwd});
	return new Set(splitNul(stdout).map(entry => entry.slice(entry.indexOf('\n') + 1)));
};

/** Lists nested repositories that git does not track. One without a commit is in no tree. */
export const listUntrackedRepositories = async (git: Git, worktree: string): Promise<string[]> =>
	// In this listing, only a repository ends in a slash.
	splitNul(await git.run(['ls-files', '--others', '--exclude-standard', '-z'], {cwd: worktree}))
		.filter(path => path.endsWith('/'))
		.map(path => path.slice(0, -1));
