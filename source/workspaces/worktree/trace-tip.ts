import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {refuseUnfinished} from '../merge/merge-refusals.ts';
import {findRebaseOf, findUnderWay, listUnresolved} from '../merge/under-way.ts';
import {isAncestor, resolve, scratchCommit, treeOf} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {captureAll} from '../trees/tree.ts';
import {findDamage} from './damage.ts';
import {findLostWork} from './trace-branch.ts';
import {inspectWorktree, type TraceLocation, worktreePath} from './worktree-state.ts';

/** A trace's whole work: its branch plus everything uncommitted in its worktree (docs/architecture.md §5). */
export type TraceTip = {
	/** The trace branch; empty when it is gone and the last run's work stands in. */
	readonly head: string;
	/**
	 * The branch, or a commit on it that no ref of the branch names, with what is uncommitted or was in a
	 * worktree that is gone.
	 */
	readonly commit: string;
	readonly tree: string;
	/** What `commit` was made from. */
	readonly parent: string;
	/** Absent when the trace has a branch only. */
	readonly worktree?: string;
	/** Paths with an unresolved merge in the worktree. */
	readonly unmerged: readonly string[];
	/**
	 * Paths in the worktree that git does not take, unreadable ones for example: they are in the tree as they
	 * were committed, or not at all.
	 */
	readonly unread: readonly string[];
};

/**
 * Nothing when the trace has neither branch nor worktree, and no work of one that is gone. Refused when the
 * worktree cannot be read, or is not on the trace branch, and when a branch that is to go on from lost work
 * is checked out elsewhere.
 */
export const readTraceTip = async (
	git: Git,
	location: TraceLocation,
): Promise<Outcome<TraceTip | undefined>> => {
	const head = await resolve(git, location.root, refsOf(location.traceId).head);
	const {state, elsewhere} = await inspectWorktree(git, location);
	const worktree = worktreePath(location);
	if (state === 'whole')
		return head === undefined ? unopened(git, worktree) : readWorktree(git, location, head);
	if (state === 'foreign') return unopened(git, worktree);
	const lost = await findLostWork(git, location, head);
	if (lost !== undefined && elsewhere !== undefined) return inUse(location, elsewhere);
	const commit = lost ?? head;
	if (commit === undefined) return accepted(undefined);
	const tree = await treeOf(git, location.root, commit);
	return accepted({head: head ?? '', commit, tree, parent: commit, unmerged: [], unread: []});
};

const readWorktree = async (git: Git, location: TraceLocation, head: string): Promise<Outcome<TraceTip>> => {
	const worktree = worktreePath(location);
	const [at, {tree, unread}, headTree, unmerged] = await Promise.all([
		resolve(git, worktree, 'HEAD'),
		captureAll(git, worktree),
		treeOf(git, worktree, head),
		listUnresolved(git, worktree),
	]);
	const parent = await parentOf(git, worktree, {at: at ?? '', head, same: tree === headTree});
	if (!parent) {
		const rebase = await findRebaseOf(git, worktree, refsOf(location.traceId).head);
		return rebase.length > 0 ? unfinished(worktree, rebase) : astray(worktree, 'has left the trace branch');
	}
	const message = 'Uncommitted files of the trace\n';
	const isSaved = tree === (await treeOf(git, worktree, parent));
	const commit = isSaved ? parent : await scratchCommit(git, worktree, {tree, parents: [parent], message});
	return accepted({head, commit, tree, parent, worktree, unmerged, unread});
};

/**
 * The newest of the branch and the worktree's HEAD, when one follows the other and no file would seem
 * reverted.
 */
const parentOf = async (
	git: Git,
	cwd: string,
	{at, head, same}: {at: string; head: string; same: boolean},
) => {
	if (await isAncestor(git, cwd, head, at)) return at;
	return same && (await isAncestor(git, cwd, at, head)) ? head : undefined;
};

/** Refuses a worktree with an unresolved merge, and names the operation that left it. */
export const refuseUnresolved = async (
	git: Git,
	{worktree, unmerged}: Pick<TraceTip, 'worktree' | 'unmerged'>,
): Promise<Refused | undefined> =>
	worktree === undefined || unmerged.length === 0
		? undefined
		: refuseUnfinished(worktree, await findUnderWay(git, worktree));

const unopened = async (git: Git, worktree: string): Promise<Refused> =>
	(await findDamage(git, worktree)) ?? astray(worktree, 'is not the worktree that git has on record');

/** Its branch cannot move on to what the last run left while files somewhere else follow it. */
const inUse = ({traceId}: TraceLocation, elsewhere: string) =>
	refuse('wrong_status', {
		message: `${refsOf(traceId).branch} is checked out in ${elsewhere}, without what the last run of the trace left.`,
		hint: 'Switch to another branch there, then look again; nothing was changed.',
	});

/** As a state of the worktree: a gate is due all the same, and approving says what to mend. */
const unfinished = (worktree: string, what: readonly string[]): Refused =>
	refuse('wrong_status', refuseUnfinished(worktree, what).refusal);

const astray = (worktree: string, why: string) =>
	refuse('wrong_status', {
		message: `The worktree ${worktree} ${why}.`,
		hint: 'Bring it back with "git switch" there; nothing was changed.',
	});
