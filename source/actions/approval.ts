import {type Outcome, type Refused, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import type {LandingStrategy} from '../domain/landing.ts';
import type {PullRequestState} from '../domain/pull-request.ts';
import type {Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {awaitsGuard} from '../ledger/verdicts.ts';
import {timestamp} from '../ports/clock.ts';
import type {ActionContext} from './context.ts';
import {findOpenTask, type TaskInput, wrongStatus} from './decide-and-append.ts';

export type ApproveInput = TaskInput & {
	readonly summary?: string | undefined;
	/** Subject and, after a blank line, body of the merge commit. */
	readonly mergeMessage?: string | undefined;
	/** The tree that was previewed: its id, or at least 12 digits of it. Another tree is refused as stale. */
	readonly tree?: string | undefined;
	/** Approves although the guard has not checked it yet. */
	readonly withoutGuard?: boolean | undefined;
	/** False leaves a gate's work on its branch, for a pull request. Default: it is merged. */
	readonly merge?: boolean | undefined;
	/** True opens a request at the forge, and merges nothing here. Default: what the colony has. */
	readonly pullRequest?: boolean | undefined;
	/** True merges here, whatever the colony has. */
	readonly here?: boolean | undefined;
	/** How a gate's work lands; default: what the colony has. */
	readonly strategy?: LandingStrategy | undefined;
	/** Merges at once although required checks have not passed. The log keeps who did, and the reason. */
	readonly withoutChecks?: boolean | undefined;
	readonly reason?: string | undefined;
	/** Goes before the landings that are not put first. */
	readonly first?: boolean | undefined;
	/** Runs failed checks again. */
	readonly again?: boolean | undefined;
	/** Returns once it has landed, or is back with the person. */
	readonly wait?: boolean | undefined;
};

export type Approved = {
	readonly traceId: string;
	readonly taskId: string;
	/** The merge commit, or the head of the branch that was left; empty when there was nothing to merge. */
	readonly commit: string;
	/** The branch that it was merged into; empty when nothing was merged. */
	readonly base: string;
	/** The branch that was left for a pull request; empty otherwise. */
	readonly branch: string;
	/** Unsaved files that now have both changes. */
	readonly carried: readonly string[];
	/** Why the worktree still exists; empty when it is gone. */
	readonly worktreeKept: string;
	/** Paths in the worktree that exist nowhere else, which keep it. */
	readonly worktreeHolds: readonly string[];
	/** Its place in the landing queue; null once it is merged, and for other approvals. */
	readonly landing: QueuedApproval | null;
	/** The request at the forge; null for other approvals. */
	readonly pullRequest: ApprovedRequest | null;
};

/** An approved request. `reason` says why it could not be sent; empty otherwise. */
export type ApprovedRequest = {
	readonly state: PullRequestState;
	/** Null until it is open. */
	readonly number: number | null;
	readonly url: string;
	readonly reason: string;
	/** What went wrong beside, in sentences. Empty if a reactor sends it, which reports by itself. */
	readonly reports: readonly string[];
};

/** The result of an approval that merged nothing here. */
export const unmerged = ({traceId, taskId}: Pick<TaskInput, 'traceId' | 'taskId'>): Approved => ({
	...{traceId, taskId, commit: '', base: '', branch: '', carried: [], worktreeKept: '', worktreeHolds: []},
	...{landing: null, pullRequest: null},
});

/** An approved merge that waits for its checks. */
type QueuedApproval = {
	/** From 1, among the landings on its branch. */
	readonly position: number;
	/** The tree that was approved. */
	readonly tree: string;
};

/** Minimum digits of a tree's id. With fewer, a tree that the person never saw could have the same digits. */
const minDigits = 12;

/** The strategy that an approval lands with. */
export const strategyOf = (
	{colony}: Pick<ActionContext, 'colony'>,
	{strategy}: Pick<ApproveInput, 'strategy'>,
): LandingStrategy => strategy ?? colony.land?.strategy ?? 'merge';

/** Whether approving a final review opens a request at the forge. */
export const opensRequest = (
	{colony}: Pick<ActionContext, 'colony'>,
	{merge, pullRequest, here, withoutChecks}: ApproveInput,
): boolean => {
	if (pullRequest) return true;
	const isForBase = here || withoutChecks || merge === false;
	return !isForBase && colony.forge?.onApprove === 'pull_request';
};

/** Shortens a tree's id as commands name the tree that was seen. */
export const shortTree = (tree: string): string => tree.slice(0, minDigits);

export const isShortForTree = (tree: string): boolean => tree.length < minDigits;

export const refuseShortTree = (tree: string): Refused =>
	refuse('usage', {
		message: `"${tree}" is not the id of a tree.`,
		hint: `Give its id, or at least ${minDigits} digits of it, as "hive proposal diff" shows it.`,
	});

/**
 * Finds the task if a person may approve it now. It waits for review, or only its guard blocks the review and
 * approval may skip that guard.
 */
export const findWaiting = (trace: Trace, input: ApproveInput): Outcome<Task> => {
	const found = findOpenTask(trace, input);
	if (!found.ok || found.value.status === 'waiting_review') return found;
	if (!awaitsGuard(trace, found.value)) return wrongStatus(found.value, 'in waiting_review');
	return input.withoutGuard === true ? found : refuseBeforeGuard(trace, found.value);
};

const refuseBeforeGuard = (trace: Trace, {taskId, proposal}: Task) => {
	const reviewing = openRuns(trace).filter(({trigger}) => trigger === proposal?.sequence);
	const guard = reviewing.find(({verifies}) => verifies === undefined) ?? reviewing[0];
	if (guard?.verifies !== undefined)
		return refuse('guard_running', {
			message: `The task ${taskId} is not ready for review: the run ${guard.agentId} is still verifying it.`,
		});
	const who = guard === undefined ? 'its guard' : `its guard ${guard.bee} (${guard.agentId})`;
	return refuse('guard_running', {
		message: `The task ${taskId} is not ready for review: ${who} has not judged it yet.`,
	});
};

/** Returns `task.completed` in a person's name. */
export const completionEvent = (
	{by, clock}: Pick<ActionContext, 'by' | 'clock'>,
	{taskId, summary, commit}: {taskId: string; summary: string; commit: string},
): Omit<HiveEvent, 'traceId'> => ({
	agentId: by,
	type: 'VERIFICATION',
	payload: {
		kind: 'task.completed',
		taskId,
		status: 'completed',
		summary,
		commit,
		completedAt: timestamp(clock),
	},
});
