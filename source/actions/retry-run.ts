import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {runNotFound} from '../domain/not-found.ts';
import type {RunRecord} from '../domain/run.ts';
import {formatQuestions} from '../domain/run-questions.ts';
import type {Trace} from '../domain/trace.ts';
import {isPastGate, isSuperseded, mayRunAgain} from '../ledger/direct-run.ts';
import {verificationOver} from '../ledger/evidence.ts';
import {lookUpRun} from '../ledger/find-run.ts';
import {waitingRuns} from '../ledger/questions.ts';
import {answersFor, asAnswers} from './answer-questions.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseUnlessOpen} from './decide-and-append.ts';
import {retryTask} from './retry-task.ts';

export type RetryRunInput = {
	/** The run to repeat. */
	readonly agentId: string;
	/**
	 * What the next run should do differently, or the answer to what the run asked. It is put first in its
	 * prompt.
	 */
	readonly feedback?: string | undefined;
	/** True to begin a new session of its tool. */
	readonly fresh?: boolean | undefined;
};

export type RunRetried = {
	readonly traceId: string;
	readonly agentId: string;
	readonly bee: string;
	/** The task that it works on; empty when it answers an event. */
	readonly taskId: string;
};

/**
 * Repeats a run that failed, or that waits for a limit of its tool. If the run worked on a task, this retries
 * the task. If it answered an event, a request for a plan, or a guard, another run answers the same event.
 */
export const retryRun = async (
	context: ActionContext,
	{agentId, fresh, feedback: said = ''}: RetryRunInput,
): Promise<Outcome<RunRetried>> => {
	const found = await lookUpRun(context.bus, agentId);
	if (found === undefined) return runNotFound(agentId);
	const {run, trace} = found;
	const feedback = said.trim();
	const {traceId, tasks} = trace;
	const {bee, taskId = '', trigger} = run;
	const retried = {traceId, agentId, bee, taskId};
	if (trigger === undefined && taskId !== '') {
		const task = tasks.get(taskId);
		if (task?.agentId !== agentId) return refuseOver(run, 'a later run has its task');
		const isAnswered = feedback !== '' && task.status === 'waiting_review';
		const refused = isAnswered ? undefined : refuseUnlessEnded(run);
		if (refused !== undefined) return refused;
		const again = await retryTask(context, {
			traceId,
			taskId,
			fresh,
			feedback,
			expected: {agentId, status: task.status},
		});
		return again.ok ? accepted(retried) : again;
	}
	const done = await decideAndAppend(context, traceId, newest => {
		const now = newest.runs.get(agentId) ?? run;
		const closed = refuseUnlessOpen(newest);
		if (closed !== undefined) return closed;
		if (waitingRuns(newest).some(one => one.agentId === agentId)) {
			if (feedback === '') return refuseUnanswered(now);
			return accepted({next: answersFor(context.by, now, feedback, fresh), value: retried});
		}
		const refused = refuseRun(newest, now);
		if (refused !== undefined) return refused;
		const feedbackFields = feedback !== '' && {feedback: asAnswers(now, feedback)};
		const payload = {kind: 'run.retry', agentId, ...(fresh && {fresh}), ...feedbackFields};
		const answers = feedback === '' ? [] : answersFor(context.by, now, feedback);
		return accepted({next: [...answers, {agentId: context.by, type: 'SIGNAL', payload}], value: retried});
	});
	return done.ok ? accepted(done.value.value) : done;
};

const refuseRun = (trace: Trace, run: RunRecord) => {
	if (run.interactive) return refuseOver(run, `it was a session; "hive bee chat ${run.bee}" begins another`);
	const refused = refuseUnlessEnded(run);
	if (refused !== undefined) return refused;
	if (!mayRunAgain(trace, run)) return refuseOver(run, 'a later run answers the same event');
	const isOutdated = isPastGate(trace, run) || isOver(trace, run);
	return isOutdated
		? refuseOver(run, 'the work that it looked at has changed, or was merged, since')
		: undefined;
};

const refuseUnanswered = ({agentId, bee, questions}: RunRecord) =>
	refuse('wrong_status', {
		message: `The run ${agentId} of ${bee} asks: ${formatQuestions({questions: questions ?? []})}`,
		hint: `Answer with "hive bee retry ${agentId} --feedback <text>".`,
	});

const refuseUnlessEnded = (run: RunRecord) => {
	if (run.status === 'running') return refuseOver(run, 'it still runs');
	return run.status === 'completed' ? refuseOver(run, 'it succeeded') : undefined;
};

/** True if the result of the run is no longer needed. */
const isOver = (trace: Trace, run: RunRecord): boolean => {
	if (run.verifies !== undefined) return verificationOver(trace, run) !== undefined;
	const {trigger = 0, answers = ''} = run;
	return isSuperseded(trace, {...run, trigger, kind: answers});
};

const refuseOver = ({agentId, bee}: RunRecord, why: string) =>
	refuse('wrong_status', {message: `The run ${agentId} of ${bee} cannot be repeated: ${why}.`});
