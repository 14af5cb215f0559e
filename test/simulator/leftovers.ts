import type {Colony} from '../../source/colony/colony.ts';
import {waitingPlan} from '../../source/domain/plan-review.ts';
import {exhausted} from '../../source/domain/reserve.ts';
import {awaitsPerson, type Task} from '../../source/domain/task.ts';
import {openRuns, type Trace} from '../../source/domain/trace.ts';
import type {PendingRun} from '../../source/reactor/machine.ts';
import {directRunsFor} from '../../source/reactor/subscribers.ts';
import type {Fold} from './invariants.ts';

/**
 * Returns the work that must not remain once nothing moves. `pending` is the number of pending direct runs of
 * the trace.
 */
export const leftovers = (trace: Trace, pending: number): string[] => {
	const say = (words: string) => `${trace.traceId}: ${words}`;
	const open = openRuns(trace).map(({agentId, bee}) => say(`run ${agentId} of ${bee} is left open`));
	if (trace.killed) return pending === 0 ? open : [...open, say('a killed trace has runs pending')];
	const stuck = [...trace.tasks.values()].flatMap(task => {
		const why = whyStuck(trace, task, pending);
		return why === undefined ? [] : [say(`${task.taskId} is left ${task.status} ${why}`)];
	});
	const payable = trace.energyBudget === undefined || exhausted(trace) === undefined;
	const merging =
		trace.merge === undefined
			? []
			: [say(`the merge for ${trace.merge.taskId ?? 'the worktree'} is left open`)];
	const unpaid =
		pending > 0 && payable && trace.merge === undefined
			? [say(`${pending} direct runs are left pending`)]
			: [];
	return [...open, ...stuck, ...unpaid, ...merging];
};

const whyStuck = (trace: Trace, task: Task, pending: number): string | undefined => {
	if (trace.merge !== undefined) return undefined;
	switch (task.status) {
		case 'ready':
			return 'though nothing is in its way';
		case 'running':
			return pending > 0 && exhausted(trace) !== undefined ? undefined : 'without a run';
		case 'blocked':
			return exhausted(trace) === undefined ? 'with enough in the reserve' : undefined;
		case 'planned':
			if (task.withheld) return waitingPlan(trace) ? undefined : 'though its plan waits for no decision';
			return isDue(trace, task, pending) ? 'although it is its turn' : undefined;
		case 'waiting_review':
			return !awaitsPerson(task) && pending === 0 ? 'and nobody is asked for it' : undefined;
		default:
			return undefined;
	}
};

const isDue = (trace: Trace, task: Task, pending: number): boolean =>
	task.review === 'final' ? pending === 0 && isAtGate(trace, task) : isNext(trace, task);

/**
 * True if the dependencies of the gate are over, and all other unfinished tasks are gates or wait for a gate
 * or a merge.
 */
const isAtGate = (trace: Trace, gate: Task): boolean =>
	gate.dependsOn.every(need => isOver(trace.tasks.get(need))) &&
	[...trace.tasks.values()].every(
		task =>
			isOver(task) ||
			(task.status === 'planned' &&
				!task.withheld &&
				(task.review === 'final' || waitsBehind(trace, task, need => need === gate || need.left === true))),
	);

const isOver = (task: Task | undefined): boolean =>
	task?.status === 'completed' || task?.status === 'cancelled';

/** True if a dependency of the task satisfies the predicate, directly or through other planned tasks. */
export const waitsBehind = (trace: Trace, task: Task, isSo: (need: Task) => boolean): boolean =>
	task.dependsOn
		.flatMap(taskId => trace.tasks.get(taskId) ?? [])
		.some(need => isSo(need) || (need.status === 'planned' && waitsBehind(trace, need, isSo)));

/**
 * True if all dependencies are completed and merged, and no earlier task holds the queue of tasks without
 * dependencies.
 */
const isNext = (trace: Trace, task: Task): boolean => {
	if (task.dependsOn.length > 0) {
		return task.dependsOn.every(taskId => {
			const need = trace.tasks.get(taskId);
			return need?.status === 'completed' && need.left !== true;
		});
	}
	const all = [...trace.tasks.values()];
	return all
		.slice(0, all.indexOf(task))
		.filter(({review, dependsOn}) => review !== 'final' && dependsOn.length === 0)
		.every(({status}) => ['completed', 'failed', 'cancelled'].includes(status));
};

/**
 * Every direct run that an event of the log asked for was claimed, is pending, or is superseded
 * (docs/architecture.md §6).
 */
export const forgotten = (
	folds: readonly Fold[],
	colony: Colony,
	pending: (traceId: string) => number,
): string[] => {
	const last = new Map(folds.map(({after}) => [after.traceId, after]));
	return folds.flatMap(({event, after}) => {
		const trace = last.get(event.traceId) ?? after;
		if (trace.killed || pending(trace.traceId) > 0) return [];
		return directRunsFor(event, after, colony)
			.filter(run => colony.bees.has(run.bee) && !isSuperseded(trace, run) && !isAnswered(trace, run))
			.map(({trigger, bee}) => `${trigger}: ${bee} was asked for and forgotten`);
	});
};

const isAnswered = ({runs}: Trace, {trigger, bee}: PendingRun): boolean =>
	[...runs.values()].some(run => run.trigger === trigger && run.bee === bee);

const isSuperseded = ({tasks}: Trace, {kind, taskId, trigger}: PendingRun): boolean => {
	const task = tasks.get(taskId ?? '');
	if (task === undefined || kind === 'feature.requested') return false;
	if (task.approved && kind.startsWith('verification')) return true;
	const newest = kind.startsWith('code.proposal') ? task.proposal : task.verdict;
	return newest?.sequence !== trigger;
};
