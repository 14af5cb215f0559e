import type {Outcome} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {timestamp} from '../ports/clock.ts';
import type {ActionContext} from './context.ts';
import {findOpenTask, type TaskInput, wrongStatus} from './decide-and-append.ts';

export type ApproveInput = TaskInput & {
	readonly summary?: string | undefined;
	/** Subject and, after a blank line, body of the merge commit. */
	readonly mergeMessage?: string | undefined;
	/** The tree that was previewed; another one is refused as stale. */
	readonly tree?: string | undefined;
	/** False leaves a gate's work on its branch, for a pull request; merged by default. */
	readonly merge?: boolean | undefined;
};

export type Approved = {
	readonly traceId: string;
	readonly taskId: string;
	/** The merge commit, or the head of the branch that was left; empty when there was nothing to merge. */
	readonly commit: string;
	/** The branch it was merged into; empty when nothing was merged. */
	readonly base: string;
	/** The branch that was left for a pull request; empty otherwise. */
	readonly branch: string;
	/** Unsaved files that have both changes now. */
	readonly carried: readonly string[];
	/** Why the worktree is still there; empty when it is not. */
	readonly worktreeKept: string;
};

/** The task, when a person may approve it now. */
export const findWaiting = (trace: Trace, input: TaskInput): Outcome<Task> => {
	const found = findOpenTask(trace, input);
	if (!found.ok) return found;
	return found.value.status === 'waiting_review' ? found : wrongStatus(found.value, 'one in waiting_review');
};

/** `task.completed` in a person's name. */
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
