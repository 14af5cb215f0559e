import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import {isPaused, type Task} from '../domain/task.ts';
import {readyPayload} from '../domain/task-ready.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {failedDirectRun, repeatableRun} from '../ledger/direct-run.ts';
import {answersFor, asAnswers} from './answer-questions.ts';
import type {ActionContext} from './context.ts';
import {
	type AppendDecision,
	decideAndAppend,
	findOpenTask,
	type TaskInput,
	wrongStatus,
} from './decide-and-append.ts';
import {endRunsWithoutReactor} from './end-runs.ts';

export type RetryInput = TaskInput & {
	/** What the next run should do differently. It is put first in its prompt. */
	readonly feedback?: string | undefined;
	/** True if the next run begins a new session of its tool. */
	readonly fresh?: boolean | undefined;
};

export type Retried = {
	readonly traceId: string;
	readonly taskId: string;
	/** The run that is stopped or repeated by the retry; empty when there is none. */
	readonly replaces: string;
	/**
	 * The bee that checks the task again while the task stays as it is; empty when the task itself runs again.
	 */
	readonly repeats: string;
};

/**
 * Returns a failed, paused or running task to ready (docs/rules.md §1); its running run is stopped. For a
 * task in review, repeats the direct run that failed, or with feedback sends the task back for rework. For a
 * completed task, repeats the direct run that failed, until a gate takes the work (docs/architecture.md §6).
 */
export const retryTask = async (context: ActionContext, input: RetryInput): Promise<Outcome<Retried>> => {
	const {traceId} = input;
	const options: RetryOptions = {
		...((input.feedback ?? '').trim() !== '' && {feedback: input.feedback?.trim()}),
		...(input.fresh && {fresh: true}),
	};
	const decided = await decideAndAppend(context, traceId, trace => {
		const found = findOpenTask(trace, input);
		if (!found.ok) return found;
		const task = found.value;
		if (task.status === 'waiting_review') return retryWaiting(context, trace, task, options);
		if (task.status === 'completed') return retryCompleted(context, trace, task, options);
		return retryRun(context, trace, task, options);
	});
	if (!decided.ok) return decided;
	const {value, trace} = decided.value;
	const replaced = openRuns(trace).filter(({agentId}) => agentId === value.replaces);
	await endRunsWithoutReactor(context, traceId, replaced, 'replaced by a retry');
	return accepted(value);
};

type Retry = Outcome<AppendDecision<Retried>>;

/** Options of the retry, as they are in its event. */
type RetryOptions = {readonly feedback?: string | undefined; readonly fresh?: true | undefined};

const retriable = 'failed, paused or running, or have a failed guard';

const retryRun = ({by}: ActionContext, {traceId, runs}: Trace, task: Task, options: RetryOptions): Retry => {
	const isOver = task.status === 'failed' || isPaused(task);
	if (!isOver && task.status !== 'running') return wrongStatus(task, retriable);
	const replaces = task.status === 'running' ? (task.agentId ?? '') : '';
	const {feedback} = options;
	const last = runs.get(task.agentId ?? '');
	const feedbackFields = feedback === undefined ? {} : {feedback: asAnswers(last, feedback)};
	const payload = {...readyPayload(task), ...(replaces && {replaces}), ...options, ...feedbackFields};
	const isOpen = runs.get(replaces)?.status === 'running';
	const answers = last && feedback !== undefined ? answersFor(by, last, feedback, options.fresh) : [];
	return accepted({
		next: [...answers, {agentId: by, type: 'SIGNAL', payload}],
		value: {traceId, taskId: task.taskId, replaces: isOpen ? replaces : '', repeats: ''},
	});
};

const retryWaiting = ({by}: ActionContext, trace: Trace, task: Task, options: RetryOptions): Retry => {
	const {traceId} = trace;
	const {taskId} = task;
	if (task.review === 'final') {
		return refuse('wrong_status', {
			message: `The task ${taskId} is a final gate: nothing runs for it.`,
			hint: `Approve it, or send the work back with "hive proposal reject --trace ${traceId} --task ${taskId} --feedback <text>".`,
		});
	}
	const {feedback, fresh} = options;
	const run = trace.runs.get(task.agentId ?? '');
	if (feedback !== undefined && task.waitsFor === 'question' && run !== undefined) {
		const value = {traceId, taskId, replaces: '', repeats: ''};
		return accepted({next: answersFor(by, run, feedback, fresh), value});
	}
	if (feedback !== undefined) {
		const payload = {kind: 'human.feedback', taskId, message: feedback, ...(fresh && {fresh})};
		return accepted({
			event: {agentId: by, type: 'INSIGHT', payload},
			value: {traceId, taskId, replaces: '', repeats: ''},
		});
	}
	const failed = repeatableRun(trace, task);
	if (failed === undefined) return refuseWithoutFeedback(task);
	return repeat(by, trace, task, failed, options);
};

const refuseWithoutFeedback = ({taskId, waitsFor}: Task) =>
	refuse('wrong_status', {
		message:
			waitsFor === 'question'
				? `The task ${taskId} waits for an answer.`
				: `The task ${taskId} waits, and no run about it has failed.`,
		hint:
			waitsFor === 'question'
				? 'Answer it with --feedback <text>, or approve the task as done.'
				: 'Send it back with --feedback <text>, or approve it.',
	});

/** A completed task stays completed: only its guard runs again, and only while no gate has taken the work. */
const retryCompleted = ({by}: ActionContext, trace: Trace, task: Task, options: RetryOptions): Retry => {
	const {taskId} = task;
	const failed = repeatableRun(trace, task);
	if (failed !== undefined && options.feedback === undefined) return repeat(by, trace, task, failed, options);
	if (failed !== undefined) {
		return refuse('wrong_status', {
			message: `The task ${taskId} is completed, so it takes no feedback.`,
			hint: `Without --feedback, ${failed.bee} looks at it again, since its run failed. To change the task, reject the final gate with --rework ${taskId}.`,
		});
	}
	if (failedDirectRun(trace, task) === undefined) return wrongStatus(task, retriable);
	return refuse('wrong_status', {
		message: `The task ${taskId} is completed and its work has passed the final gate: its guard does not run again.`,
		hint: `Create a task for what should still change with "hive task create --trace ${trace.traceId}".`,
	});
};

const repeat = (
	by: string,
	{traceId}: Trace,
	task: Task,
	{agentId, bee}: RunRecord,
	{fresh}: RetryOptions,
): Retry => {
	const payload = {...readyPayload(task), replaces: agentId, ...(fresh && {fresh})};
	return accepted({
		event: {agentId: by, type: 'SIGNAL', payload},
		value: {traceId, taskId: task.taskId, replaces: agentId, repeats: bee},
	});
};
