import {exitCodes} from '../../domain/error-table.ts';
import type {Reason} from '../../domain/reason.ts';
import {isWaitingRun} from '../../domain/run.ts';
import {awaitsPerson, type Task} from '../../domain/task.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {waitingRuns} from '../../ledger/questions.ts';
import type {Decision} from '../../reactor/decide.ts';
import {idleExit} from '../live/watch-work.ts';

/** States of a trace that a caller can wait for. */
export const waitGoals = ['completed', 'review', 'idle'] as const;
export type WaitGoal = (typeof waitGoals)[number];

/** Why the goal was not reached. */
type Obstacle = 'failed' | 'honey' | 'person';

export type WaitAnswer =
	| {readonly state: 'reached'}
	/** Nothing of the trace runs or is due, so the goal cannot be reached without a person. */
	| {readonly state: 'stuck'; readonly because: Obstacle}
	| {readonly state: 'open'};

/**
 * Returns whether the trace has reached the goal, still can, or needs a person first (docs/architecture.md
 * §9).
 */
export const answerWait = (trace: Trace, decision: Decision, goal: WaitGoal): WaitAnswer => {
	const isMoving = canContinue(trace, decision);
	if (isReached(trace, decision, goal, isMoving)) return {state: 'reached'};
	return isMoving ? {state: 'open'} : {state: 'stuck', because: obstacleOf(trace, decision)};
};

const isReached = (trace: Trace, decision: Decision, goal: WaitGoal, isMoving: boolean): boolean => {
	const tasks = [...trace.tasks.values()];
	switch (goal) {
		case 'idle':
			return !isMoving;
		case 'completed':
			return (
				!isMoving &&
				decision.outdated === undefined &&
				tasks.length > 0 &&
				tasks.every(({status}) => status === 'completed') &&
				decision.waits.runs().length === 0 &&
				waitingRuns(trace).length === 0
			);
		case 'review':
			return waitingRuns(trace).length > 0 || tasks.some(task => isInReview(task, decision));
	}
};

/** True if the task waits for a person's review, and no open or pending run still works on it. */
const isInReview = (task: Task, {waits}: Decision): boolean => {
	const reasons = new Set(awaitsPerson(task) ? waits.task(task).map(reason => reason.for) : []);
	return reasons.has('review') && !reasons.has('run') && !reasons.has('pending');
};

/**
 * True if the trace continues without a person. A run is open, a step is due, or the reasons of a wait end by
 * themselves.
 */
const canContinue = (trace: Trace, {steps, waits}: Decision): boolean => {
	if (openRuns(trace).some(run => !isWaitingRun(run)) || steps.length > 0) return true;
	const tasks = [...trace.tasks.values()].map(waits.task);
	return [...tasks, ...waits.runs().map(({reasons}) => reasons)].some(endsByItself);
};

const transientReasons: ReadonlySet<Reason['for']> = new Set([
	'landing',
	'limit',
	'merge',
	'pending',
	'reactor',
	'run',
	'slot',
	'workspace',
]);

/** True if every reason ends without a person. */
const endsByItself = (reasons: readonly Reason[]): boolean =>
	reasons.length > 0 &&
	reasons.every(
		reason => transientReasons.has(reason.for) && !(reason.for === 'run' && isWaitingRun(reason.run)),
	);

const obstacleOf = (trace: Trace, decision: Decision): Obstacle => {
	const exit = trace.killed ? exitCodes.taskFailed : idleExit([trace], () => decision);
	if (exit === exitCodes.taskFailed) return 'failed';
	return exit === exitCodes.honeyExhausted ? 'honey' : 'person';
};
