import type {Git} from '../../ports/git.ts';
import {mergeTrees, scratchCommit} from '../trees/objects.ts';
import {type ChangedPath, changedFiles, overlapping, pathText} from '../trees/paths.ts';
import {captureTracked} from '../trees/tree.ts';
import {listCheckouts} from '../worktree/checkouts.ts';
import {filledFolders, listIntended, pathsInTheWay} from './in-the-way.ts';
import {pathsGitChanges} from './paths-git-changes.ts';
import {listUnresolved} from './under-way.ts';

/** Commits and trees that are needed to carry unsaved changes over a merge (docs/reliability.md §4). */
export type Carry = {
	readonly merge: string;
	/** A commit shaped like git's own stash: its second parent has the staged files. */
	readonly unsaved: string;
	/** Trees of the files and of the index after the carry. */
	readonly files: string;
	readonly index: string;
	/** The unsaved paths that the merge changes too. */
	readonly paths: readonly string[];
};

/** How the base can move to a merge without losing an unsaved byte (docs/reliability.md §4). */
export type Advance =
	/** The base is checked out nowhere: no file moves. */
	| {readonly way: 'ref'}
	/** Unsaved changes, if any, go on top of the merge. */
	| {readonly way: 'carry'; readonly checkout: string; readonly carry: Carry}
	/** These paths of the checkout would be lost. */
	| {
			readonly way: 'blocked';
			readonly checkout: string;
			readonly paths: readonly string[];
			readonly reason?: string;
	  };

type Move = {
	readonly root: string;
	/** Full ref of the base branch. */
	readonly ref: string;
	readonly from: string;
	/** The merge: a commit on `from`. */
	readonly to: string;
};

/** Decides from the files on disk now. Writes only git objects. */
export const planAdvance = async (git: Git, move: Move): Promise<Advance> => {
	const checkout = (await listCheckouts(git, move.root)).find(({branch}) => branch === move.ref);
	if (!checkout) return {way: 'ref'};
	if (checkout.missing) return {way: 'blocked', checkout: checkout.path, paths: [checkout.path]};
	return planInCheckout(git, checkout.path, move);
};

const planInCheckout = async (git: Git, checkout: string, {from, to}: Move): Promise<Advance> => {
	const [changed, unsaved] = await Promise.all([
		changedFiles(git, checkout, from, to),
		captureTracked(git, checkout).catch(async (error: unknown) => {
			const unresolved = await listUnresolved(git, checkout);
			if (unresolved.length === 0) throw error;
			return {unresolved};
		}),
	]);
	if ('unresolved' in unsaved)
		return {way: 'blocked', checkout, paths: unsaved.unresolved, reason: 'has an unresolved merge'};
	const added = changed.filter(({status}) => status === 'A').map(({path}) => pathText(path));
	const retyped = changed.filter(({status}) => status === 'T').map(({path}) => path);
	const lost = [
		...(await pathsInTheWay(git, checkout, added)),
		...overlapping(await listIntended(git, checkout, unsaved.staged), added),
		...(await filledFolders(checkout, retyped)),
	];
	if (lost.length > 0) return {way: 'blocked', checkout, paths: lost};
	const dirty = await Promise.all([
		changedFiles(git, checkout, from, unsaved.staged),
		changedFiles(git, checkout, from, unsaved.tracked),
	]);
	return planCarry(git, checkout, {...unsaved, from, to, changed, dirty: dirty.flat()});
};

const changedByGit = 'has bytes on disk that git does not keep, since a filter or line ends change them';

type Overlap = {
	readonly from: string;
	readonly to: string;
	readonly staged: string;
	readonly tracked: string;
	/** Paths that the merge changes (`changed`), and unsaved paths (`dirty`). */
	readonly changed: readonly ChangedPath[];
	readonly dirty: readonly ChangedPath[];
};

/**
 * Plans the carry of unsaved changes. Both staged and unstaged edits are merged, since either can conflict
 * alone.
 */
const planCarry = async (git: Git, checkout: string, overlap: Overlap): Promise<Advance> => {
	const {from, to} = overlap;
	const keep = (tree: string, parents: string[]) =>
		scratchCommit(git, checkout, {tree, parents, message: 'Unsaved files before a merge\n'});
	const staged = await keep(overlap.staged, [from]);
	const unsaved = await keep(overlap.tracked, [from, staged]);
	const [index, files] = await Promise.all([
		mergeTrees(git, checkout, to, staged),
		mergeTrees(git, checkout, to, unsaved),
	]);
	const conflicts = [...new Set([...index.conflicts, ...files.conflicts])];
	if (conflicts.length > 0) return {way: 'blocked', checkout, paths: conflicts};
	// A renamed file takes the changes that the merge made under its old name.
	const moved = await changedFiles(git, checkout, overlap.tracked, files.tree);
	const paths = overlapping(pathsOf(overlap.dirty), pathsOf([...overlap.changed, ...moved]));
	const lossy = await pathsGitChanges(git, checkout, {tree: overlap.tracked, paths});
	if (lossy.length > 0) return {way: 'blocked', checkout, paths: lossy.map(pathText), reason: changedByGit};
	const carry = {merge: to, unsaved, files: files.tree, index: index.tree, paths: paths.map(pathText)};
	return {way: 'carry', checkout, carry};
};

const pathsOf = (changes: readonly ChangedPath[]) => [...new Set(changes.map(({path}) => path))];
