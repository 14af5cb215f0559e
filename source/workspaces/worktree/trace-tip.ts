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

/** A trace's whole work: its branch with everything uncommitted in its worktree (docs/architecture.md §5). */
export type TraceTip = {
	/** The trace branch; empty when it is gone and the last run's work is used instead. */
	readonly head: string;
	/**
	 * The branch's commit, or a commit on top of it that no ref of the branch names. The latter has the
	 * uncommitted work, or that of a lost worktree.
	 */
	readonly commit: string;
	readonly tree: string;
	/** Parent of `commit`. */
	readonly parent: string;
	/** Absent when the trace has only a branch. */
	readonly worktree?: string;
	/** Paths with an unresolved merge in the worktree. */
	readonly unmerged: readonly string[];
	/**
	 * Paths in the worktree that git cannot add, for example unreadable ones. In the tree they are as last
	 * committed, or missing.
	 */
	readonly unread: readonly string[];
};

/**
 * Undefined when the trace has neither branch nor worktree, and no work of a lost one. Refused when the
 * worktree cannot be read, or is not on the trace branch. Also refused when a branch that has to move on to
 * lost work is checked out elsewhere.
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
	const lostWork = await findLostWork(git, location, head);
	if (lostWork !== undefined && elsewhere !== undefined) return inUse(location, elsewhere);
	const commit = lostWork ?? head;
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
 * The newer of the branch and the worktree's HEAD, if one descends from the other and no file would appear
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

/** The branch cannot move on to the last run's work while another checkout has it checked out. */
const inUse = ({traceId}: TraceLocation, elsewhere: string) =>
	refuse('wrong_status', {
		message: `${refsOf(traceId).branch} is checked out in ${elsewhere}, without what the last run of the trace left.`,
		hint: 'Switch to another branch there, then look again; nothing was changed.',
	});

/** A worktree that has to be repaired: a gate is still due, and approving says how to repair it. */
const unfinished = (worktree: string, unfinishedItems: readonly string[]): Refused =>
	refuse('wrong_status', refuseUnfinished(worktree, unfinishedItems).refusal);

const astray = (worktree: string, why: string) =>
	refuse('wrong_status', {
		message: `The worktree ${worktree} ${why}.`,
		hint: 'Bring it back with "git switch" there; nothing was changed.',
	});
