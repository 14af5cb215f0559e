import {proposedIn} from '../../domain/proposal-kind.ts';
import type {TaskWait} from '../../domain/question.ts';
import type {RunRecord} from '../../domain/run.ts';
import {statusWords} from '../../domain/status-words.ts';
import {awaitsPerson, isPaused, type Task, type TaskStatus} from '../../domain/task.ts';
import {taskRecord} from '../../domain/task-record.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {repeatableRun} from '../../ledger/direct-run.ts';
import {dependantsOf} from '../../ledger/queue.ts';
import {isUnowned} from '../../ledger/unowned.ts';
import {awaitsGuard} from '../../ledger/verdicts.ts';
import {waitsAtForge} from './pull-request.ts';
import {paused, runSnapshot, runsOf} from './run.ts';
import {evidenceSnapshot, isAtVerification, verifying} from './verification.ts';

/** The task snapshot that scripts rely on: the spec's fields, without the ledger's internal ones. */
export const taskSnapshot = (traceId: string, task: Task) => ({
	...taskRecord(traceId, task),
	body: task.body,
	pausedUntil: task.pausedUntil ?? '',
	waitsFor: task.waitsFor ?? '',
});
export type TaskSnapshot = ReturnType<typeof taskSnapshot>;

/** True if its own run is over, and a guard keeps it from review. */
export const isAtGuard = awaitsGuard;

/** For a final gate: an open run that still checks or changes work which the gate would merge. */
export const guardOfGate = (trace: Trace, {review}: Pick<Task, 'review'>): RunRecord | undefined =>
	review === 'final'
		? openRuns(trace).find(
				run =>
					run.trigger !== undefined &&
					run.lands === undefined &&
					(run.taskId !== undefined || isUnowned(trace, run)),
			)
		: undefined;

/** True if a person has approved it, and its merge waits for its checks. */
export const isLanding = ({landing}: Trace, {taskId}: Pick<Task, 'taskId'>): boolean =>
	landing?.taskId === taskId;

/** True if a person's decision is due and no guard is checking the work. */
export const awaitsDecision = (trace: Trace, task: Task): boolean =>
	awaitsPerson(task) && guardOfGate(trace, task) === undefined && !isLanding(trace, task);

/** The state of a review that waits for people at the forge. */
export const atForge = 'at the forge';

/** The state of a review whose merge waits for its checks. */
export const landingLabel = 'landing';

export const guardRunning = 'guard running';

/** Status text of a task that waits although it is not in review. */
export const waitLabels = {question: 'asks you', no_change: 'changed nothing'} as const;

/** Returns the status as people read it. Scripts read the status itself. */
export const taskStatusLabel = (
	trace: Trace,
	task: Task,
):
	| TaskStatus
	| typeof guardRunning
	| typeof landingLabel
	| typeof atForge
	| typeof verifying
	| typeof paused
	| (typeof waitLabels)[TaskWait] => {
	if (isPaused(task)) return paused;
	if (isLanding(trace, task)) return landingLabel;
	if (task.status === 'waiting_review' && waitsAtForge(trace, task.taskId)) return atForge;
	if (isAtVerification(trace, task)) return verifying;
	if (task.waitsFor !== undefined) return waitLabels[task.waitsFor];
	const isUnderReview = task.status === 'waiting_review' && !awaitsDecision(trace, task);
	const run = isUnderReview ? guardOfGate(trace, task) : undefined;
	if (run !== undefined && run.taskId === undefined && proposedIn(run.answers ?? '') === undefined)
		return 'running';
	return isUnderReview || isAtGuard(trace, task) ? guardRunning : task.status;
};

/** Returns the status as a predicate: `is ready`, `asks you`. */
export const statusClause = (trace: Trace, task: Task): string => {
	const label = statusWords(taskStatusLabel(trace, task));
	return task.waitsFor === undefined ? `is ${label}` : label;
};

/**
 * Returns the bee that works on the task: the one it names, else the colony's default. Empty for a final gate
 * that names none.
 */
export const workerOf = ({bee, review}: Pick<Task, 'bee' | 'review'>, defaultBee: string): string =>
	bee || (review === 'final' ? '' : defaultBee);

/** A param that its plan or the request of its trace sets for the runs of a task. */
type SetParam = {readonly name: string; readonly value: string; readonly from: 'plan' | 'request'};

/**
 * Returns the set params of the task's own runs; none for a gate. A run warns of those that the colony does
 * not allow.
 */
export const paramsOf = ({params: ofTrace = {}}: Trace, {params = {}, review}: Task): readonly SetParam[] => {
	if (review === 'final') return [];
	return [
		...Object.entries(params).map(([name, value]): SetParam => ({name, value, from: 'plan'})),
		...Object.entries(ofTrace)
			.filter(([name]) => !Object.hasOwn(params, name))
			.map(([name, value]): SetParam => ({name, value, from: 'request'})),
	];
};

/** Returns a set param as a named fact: `Model`, and `opus, from the plan`. */
export const paramFact = ({name, value, from}: SetParam): readonly [string, string] => [
	`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
	`${value}, from the ${from}`,
];

/**
 * Returns one task with its guard's newest verdict, the result of its verification and a person's requests.
 * Its runs are in order of their claims.
 */
export const taskDetails = (trace: Trace, task: Task) => ({
	traceId: trace.traceId,
	task: taskSnapshot(trace.traceId, task),
	params: paramsOf(trace, task),
	verdict: task.verdict === undefined ? null : {passed: task.verdict.passed, summary: task.verdict.summary},
	evidence: evidenceSnapshot(task.evidence),
	feedback: task.feedback ?? '',
	runs: runsOf(trace, task.taskId).map(runSnapshot),
});

/** Returns the direct run that a retry of the task repeats; undefined if the task itself runs again. */
export const repeatedRun = repeatableRun;

/**
 * Returns the planned tasks that depend on it. They are cancelled with it, and start after the merge of a
 * gate.
 */
export const plannedDependants = (trace: Trace, {taskId}: Task): readonly Task[] => {
	const needing = dependantsOf(trace, [taskId], {throughGates: false});
	return [...trace.tasks.values()].filter(({taskId: id}) => needing.has(id));
};
