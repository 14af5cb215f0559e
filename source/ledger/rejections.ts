import type {StoredEvent} from '../domain/event.ts';
import {formatFeedback} from '../domain/review-comment.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Rejection, Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {commentsIn, textOf} from './payload.ts';

/** The message of a `human.feedback`, followed by its comments on lines. */
export const feedbackIn = ({payload}: StoredEvent): string =>
	formatFeedback(textOf(payload, 'message'), commentsIn(payload));

/**
 * The rejections of a review, including this one.
 *
 * @param asked the change that the person asks for, and the sequence of its event
 */
export const rejectedBy = (
	trace: Trace,
	task: Task,
	{asked, sequence}: {readonly asked: string; readonly sequence: number},
): Rejection => {
	const work = reviewedWork(trace, task);
	const times = (task.rejected?.times ?? 0) + 1;
	return {times, asked: [asked], ...(work !== undefined && {work}), sequence};
};

/**
 * Identifies the reviewed work of a task, as far as the log knows it. At a gate it is the tree that the
 * newest run left in the worktree, otherwise the newest proposal.
 */
const reviewedWork = (trace: Trace, {review, proposal}: Task): string | undefined => {
	if (review === 'final') return worktreeTree(trace);
	return proposal && (proposal.tree ?? `${proposal.sequence}`);
};

const worktreeTree = (trace: Trace): string | undefined => isolatedRuns(trace).at(-1)?.trees?.after;

/**
 * The same, also after runs that ended well without known trees: these changed nothing, such as a guard that
 * left a process behind. Not in the fold, since older hives have recorded a rejection without it.
 *
 * @param at only the runs that had ended by then (UTC, RFC 3339); default: all
 */
export const knownWork = (trace: Trace, task: Task, at?: string): string | undefined => {
	if (task.review !== 'final') return reviewedWork(trace, task);
	return isolatedRuns(trace)
		.filter(({finishedAt = ''}) => at === undefined || finishedAt <= at)
		.findLast(({status, trees}) => trees !== undefined || status !== 'completed')?.trees?.after;
};

/** Runs in the worktree, in the order of their ends. */
const isolatedRuns = ({runs}: Trace): readonly RunRecord[] =>
	[...runs.values()]
		.filter(({workspace, verifies}) => workspace !== 'root' && verifies === undefined)
		.toSorted((one, other) => (one.finishedAt ?? '').localeCompare(other.finishedAt ?? ''));
