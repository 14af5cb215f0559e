import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type Preview, previewMerge} from '../workspaces/merge/preview.ts';
import {refuseUnresolved} from '../workspaces/worktree/trace-tip.ts';
import {worktreePath} from '../workspaces/worktree/worktree-state.ts';
import {type ApproveInput, isShortForTree, refuseShortTree, shortTree} from './approval.ts';
import type {ActionContext} from './context.ts';

/** The merge that approving makes. */
export type Mergeable = {
	/** The resulting tree; of a work that is left on its branch, the tree of the work. */
	readonly tree: string;
	/** The tree of the trace's work. */
	readonly work: string;
	/** Short name of the branch that it is merged into. */
	readonly base: string;
};

/**
 * Returns the merge that approving makes, if its tree is the one that was shown. Undefined if there is
 * nothing to merge.
 *
 * @param isOnRecord true if the log has work that no gate has taken, so it has to exist somewhere
 */
export const findMergeable = async (
	{git, colony}: ActionContext,
	{traceId, tree: shown, merge = true}: ApproveInput,
	isOnRecord: boolean,
): Promise<Outcome<Mergeable | undefined>> => {
	const preview = await previewMerge(git, {root: colony.root, traceId});
	if (!preview.ok) return preview;
	const {
		base,
		conflicts,
		unresolved,
		tree,
		worktreeTree,
		repositories,
		unread,
		unfiltered,
		empty,
		missingWorktree,
	} = preview.value;
	if (missingWorktree && isOnRecord) return gone(traceId);
	if (repositories.length > 0) return nested(traceId, repositories);
	if (unread.length > 0) return unreadable(traceId, unread);
	if (unfiltered.length > 0) return withoutFilter(traceId, unfiltered);
	const worktree = worktreePath({root: colony.root, traceId});
	const open = await refuseUnresolved(git, {worktree, unmerged: unresolved});
	if (open !== undefined) return open;
	const isAnother = shown !== undefined && !tree.startsWith(shown);
	// If the work is gone, none of it can be merged unseen.
	if (empty && (!isAnother || missingWorktree)) return accepted(undefined);
	if (merge && conflicts.length > 0) return conflicting(traceId, preview.value);
	if (isAnother) return staleTree(shown, tree);
	if (shown !== undefined && isShortForTree(shown)) return refuseShortTree(shown);
	return accepted(empty ? undefined : {tree: merge ? tree : worktreeTree, work: worktreeTree, base});
};

const gone = (traceId: string) =>
	refuse('merge_refused', {
		message: `The work of ${traceId} is not in this repository: its branch and its worktree are missing; nothing was merged.`,
		hint: `"hive restore --list --trace ${traceId}" lists the files that its runs left; "hive kill --trace ${traceId}" gives the trace up.`,
	});

const conflicting = (traceId: string, {base, conflicts}: Preview) =>
	refuse('merge_conflict', {
		message: `The work of ${traceId} conflicts with ${base}; nothing was touched.`,
		hint: `Bring ${base} in with "hive proposal update --trace ${traceId}", then approve again.`,
		details: conflicts.map(path => ({path, message: 'has changes on both sides'})),
	});

const nested = (traceId: string, repositories: readonly string[]) =>
	refuse('merge_refused', {
		message: `The work of ${traceId} contains git repositories, whose files would not be merged; nothing was changed.`,
		hint: `In .hive/worktrees/${traceId}, move each .git folder away, run "git rm --cached --ignore-unmatch -- <path>", then look again. Or send the task back, and ask for work without them.`,
		details: repositories.map(path => ({path, message: 'is a git repository of its own'})),
	});

const unreadable = (traceId: string, unread: readonly string[]) =>
	refuse('merge_refused', {
		message: `The work of ${traceId} has files that git cannot store, so they would not be merged; nothing was changed.`,
		hint: `In .hive/worktrees/${traceId}, make each file readable, or rename, fix, commit or delete it, then look again.`,
		details: unread.map(path => ({
			path,
			message:
				'is unreadable, or has a name that git forbids, bytes that its encoding or filter refuses, or is in a submodule without being committed there',
		})),
	});

const withoutFilter = (traceId: string, unfiltered: readonly string[]) =>
	refuse('merge_refused', {
		message: `The work of ${traceId} has files whose required filter did not run, since you have not accepted it; nothing was changed.`,
		hint: 'Look at the filter in .git/config and accept it with "hive init", then look again.',
		details: unfiltered.map(path => ({path, message: 'would be merged without its filter'})),
	});

const staleTree = (shown: string, now: string) =>
	refuse('stale_view', {
		message: `What would be merged changed since you looked: tree ${shortTree(now)}, not ${shortTree(shown)}.`,
	});
