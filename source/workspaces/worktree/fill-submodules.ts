import {readdir, rename} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {folderOf, listSubmodules, mayHaveSubmodules, missingIn, type Submodule} from '../trees/submodules.ts';

/** The result of filling submodules. */
type Filled = {
	readonly filled: readonly string[];
	/** Submodules that stay empty, and why. */
	readonly empty: readonly {readonly path: string; readonly why: string}[];
};

/**
 * Fills the submodules of a worktree from the colony checkout's submodules at the same paths. URLs and
 * commands that the work configures are ignored. Each is filled completely or not at all. A submodule that is
 * not empty is left alone.
 */
export const fillSubmodules = async (git: Git, root: string, worktree: string): Promise<Filled> => {
	if (!(await mayHaveSubmodules(worktree))) return {filled: [], empty: []};
	const [own, theirs] = await Promise.all([listSubmodules(git, worktree), listSubmodules(git, root)]);
	const filled: string[] = [];
	const empty: {path: string; why: string}[] = [];
	for (const submodule of own) {
		const {path} = submodule;
		const source = theirs.find(other => other.path === path && other.isFilled);
		if (submodule.isFilled) continue;
		const why =
			source === undefined ? 'it is empty in the checkout' : await fill(git, root, worktree, submodule);
		if (why === undefined) filled.push(path);
		else empty.push({path, why});
		if (why !== undefined) continue;
		const inside = await fillSubmodules(git, join(root, path), join(worktree, path));
		empty.push(...inside.empty.map(one => ({...one, path: `${path}/${one.path}`})));
	}
	return {filled, empty};
};

export const formatEmpty = ({path, why}: Filled['empty'][number]): string =>
	`The submodule ${path} is not checked out in the worktree: ${why}. "git submodule update --init -- '${path}'" in the checkout makes it available to later worktrees.`;

/** Returns why it stays empty; undefined if it was filled. */
const fill = async (
	git: Git,
	root: string,
	worktree: string,
	{path, commit}: Submodule,
): Promise<string | undefined> => {
	const [to, from] = await Promise.all([folderOf(worktree, path), folderOf(root, path)]);
	if (to === undefined || from === undefined) return 'its folder is a link, or is gone';
	if ((await readdir(to)).length > 0) return 'something is in its folder already';
	if ((await missingIn(git, from, [commit])).length > 0)
		return `the submodule of the checkout lacks the commit ${commit.slice(0, 12)}`;
	const {common} = await git.folders(from);
	return git.withScratch(worktree, async scratch => {
		const draft = join(scratch, 'submodule');
		const clone = [
			'clone',
			'--quiet',
			'--local',
			'--no-checkout',
			'--template=',
			'--no-tags',
			'--',
			common,
			draft,
		];
		const made = await git.attempt(clone, {cwd: scratch});
		if (made.exitCode !== 0) return `git does not copy it: ${made.stderr.trim()}`;
		// A local clone contains commits that no branch has only if its objects are hard-linked.
		if ((await missingIn(git, draft, [commit])).length > 0)
			await git.run(['fetch', '--quiet', '--no-tags', common, `+refs/*:refs/hive/filled/*`], {cwd: draft});
		const url = await git.attempt(['config', '--get', 'remote.origin.url'], {cwd: from});
		if (url.exitCode === 0) await git.run(['config', 'remote.origin.url', url.stdout.trim()], {cwd: draft});
		const checkout = await git.attempt(['checkout', '--quiet', '--detach', commit], {cwd: draft});
		if (checkout.exitCode !== 0) return `git does not check it out: ${checkout.stderr.trim()}`;
		await rename(draft, to);
		return undefined;
	});
};
