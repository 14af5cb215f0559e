import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type OpenMerge, openRuns, type Trace} from '../domain/trace.ts';
import {mergeOnRecord} from '../ledger/final-gate.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {type Preview, previewMerge} from '../workspaces/merge/preview.ts';
import {refuseUnresolved} from '../workspaces/worktree/trace-tip.ts';
import {worktreePath} from '../workspaces/worktree/worktree-state.ts';
import {
	type Approved,
	type ApproveInput,
	findWaiting,
	isShortForTree,
	refuseShortTree,
	shortTree,
} from './approval.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseElsewhere} from './decide-and-append.ts';
import {completeEmptyGate, finishMerge} from './finish-merge.ts';
import {finishUpdate} from './finish-update.ts';
import {holdRecordedBase} from './hold-base.ts';
import {withMergeLock} from './merge-lock.ts';

/**
 * Merges at a final gate in the order of docs/reliability.md §4. The merge is claimed, then made. Its
 * completion is appended last. A merge that a crash left open is ended first, so that an interrupted call can
 * be repeated.
 */
export const mergeGate = (context: ActionContext, input: ApproveInput): Promise<Outcome<Approved>> =>
	withMergeLock(context, async () => {
		const trace = await loadTrace(context.bus, input.traceId);
		const elsewhere = refuseElsewhere(trace, context.checkout);
		if (elsewhere !== undefined) return elsewhere;
		await holdRecordedBase(context, input.traceId);
		const {merge: open} = trace;
		if (open?.taskId !== undefined) {
			const ended = await finishMerge(context, trace, open);
			if (ended.ok && ended.value.taskId === input.taskId) return ended;
		} else if (open !== undefined) {
			await finishUpdate(context, trace, open);
		}
		const claimed = await claimMerge(context, input);
		if (!claimed.ok) return claimed;
		const {merge, ...claim} = claimed.value;
		return merge === undefined
			? completeEmptyGate(context, claim.trace, input)
			: finishMerge(context, claim.trace, merge);
	});

/**
 * Claims the merge with `merge.started`; no merge in the result when the base already has all of the work.
 */
const claimMerge = async (
	context: ActionContext,
	input: ApproveInput,
): Promise<Outcome<{trace: Trace; merge?: OpenMerge}>> => {
	const {traceId, taskId, summary, mergeMessage: message} = input;
	const trace = await loadTrace(context.bus, traceId);
	const waiting = findWaiting(trace, input);
	if (!waiting.ok) return waiting;
	const tree = await treeToMerge(context, input, mergeOnRecord(trace) === 'some');
	if (!tree.ok) return tree;
	if (tree.value === '') return accepted({trace});
	context.failpoint('merge.planned');
	const decided = await decideAndAppend(context, traceId, now => {
		const still = findWaiting(now, input);
		if (!still.ok) return still;
		const [open] = openRuns(now);
		if (open !== undefined) {
			return refuse('run_open', {message: `The run ${open.agentId} of ${open.bee} is still open.`});
		}
		const texts = {...(summary && {summary}), ...(message && {message})};
		const leave = input.merge === false ? {leave: true} : {};
		const payload = {kind: 'merge.started', taskId, tree: tree.value, by: context.by, ...texts, ...leave};
		return accepted({event: {agentId: context.by, type: 'SIGNAL', payload}, value: undefined});
	});
	if (!decided.ok) return decided;
	context.failpoint('merge.claimed');
	const claimed = await loadTrace(context.bus, traceId);
	const {merge} = claimed;
	return merge?.taskId !== undefined && merge.sequence === decided.value.sequence
		? accepted({trace: claimed, merge})
		: refuse('conflict');
};

/**
 * Returns the tree that approving makes, if it is the one that was shown; empty when there is nothing to do.
 *
 * @param isOnRecord true if the log has work that no gate has taken, so it has to exist somewhere
 */
const treeToMerge = async (
	{git, colony}: ActionContext,
	{traceId, tree: shown, merge = true}: ApproveInput,
	isOnRecord: boolean,
): Promise<Outcome<string>> => {
	const preview = await previewMerge(git, {root: colony.root, traceId});
	if (!preview.ok) return preview;
	const {
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
	if (empty && (!isAnother || missingWorktree)) return accepted('');
	if (merge && conflicts.length > 0) return conflicting(traceId, preview.value);
	if (isAnother) return staleTree(shown, tree);
	if (shown !== undefined && isShortForTree(shown)) return refuseShortTree(shown);
	return accepted(empty ? '' : merge ? tree : worktreeTree);
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
