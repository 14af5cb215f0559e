import type {PlanItem, Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';

/** Completed, or cancelled by a person: what a gate does not wait for (design.md §4.3). */
const isSettled = ({status}: Task): boolean => status === 'completed' || status === 'cancelled';

/** There was work, all of it is settled and no run is open: the trace is at its gate, or past it. */
export const isAtGate = (trace: Trace): boolean => {
	const work = workTasks(trace);
	return (
		!trace.killed &&
		trace.merge === undefined &&
		work.length > 0 &&
		work.every(isSettled) &&
		openRuns(trace).length === 0
	);
};

/** No gate was passed yet, and work for one is on record: a gate is owed whatever the branch holds. */
export const owesFirstGate = (trace: Trace): boolean =>
	!finalGates(trace).some(({status}) => status === 'completed') &&
	workTasks(trace).some(({proposalWorkspace}) => proposalWorkspace === 'isolated');

/** What is owed at the gate: nothing, a gate to create, or a planned gate to open or to skip (spec, review policy). */
export type GateDecision =
	| {readonly gate: 'none'}
	| {readonly gate: 'create'; readonly item: PlanItem}
	| {readonly gate: 'open' | 'skip'; readonly task: Task};

/**
 * @param branchDiffers the trace branch, uncommitted work included, differs from its base
 */
export const decideGate = (trace: Trace, branchDiffers: boolean): GateDecision => {
	const gates = finalGates(trace);
	if (gates.some(({status}) => status === 'waiting_review')) return {gate: 'none'};
	const needsMerge = branchDiffers || owesFirstGate(trace);
	const planned = gates.find(({status}) => status === 'planned');
	if (planned !== undefined) return {gate: needsMerge ? 'open' : 'skip', task: planned};
	const someCompleted = workTasks(trace).some(({status}) => status === 'completed');
	return needsMerge && someCompleted ? {gate: 'create', item: gateItem(gates.length)} : {gate: 'none'};
};

const finalGates = (trace: Trace): Task[] =>
	[...trace.tasks.values()].filter(({review}) => review === 'final');

const workTasks = (trace: Trace): Task[] =>
	[...trace.tasks.values()].filter(({review}) => review !== 'final');

const gateItem = (earlier: number): PlanItem => ({
	taskId: earlier === 0 ? '_review' : `_review-${earlier + 1}`,
	title: 'Merge the trace',
	body: 'Every task is done. Review the accumulated change and merge it, or reject it with what should be different.',
	review: 'final',
});
