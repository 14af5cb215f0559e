import type {PlanItem} from '../domain/plan-item.ts';
import {isFree, type Reason} from '../domain/reason.ts';
import {type Task, taskStatuses} from '../domain/task.ts';
import {taskMarks, workTurns} from '../domain/task-marks.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {dependantsOf, gatesLeft} from './queue.ts';
import {unownedWork} from './unowned.ts';
import {workOnRecord} from './work-on-record.ts';

/** Neither completed nor cancelled. */
const undone = taskStatuses.filter(status => status !== 'completed' && status !== 'cancelled');
const plannedDependent = taskMarks(['planned'], ['dependent']);
const openGate = taskMarks(['waiting_review'], ['gate']);

/**
 * The tasks that every gate waits for: work that can go on without a gate, and a gate that is open. If there
 * are none, each planned task with needs waits for a gate, or for the merge of what a gate left.
 */
const awaitedByAll =
	taskMarks(undone, ['queued', 'withheld']) |
	taskMarks(
		undone.filter(status => status !== 'planned'),
		['dependent'],
	) |
	openGate;
const awaitedByOne = awaitedByAll | plannedDependent;

/**
 * Returns whether a gate waits for a task. It waits for all tasks except those that wait for it, or for the
 * merge of what another gate left (docs/rules.md §2).
 */
export const countedBy = (trace: Trace, gate: Task): ((task: Task) => boolean) => {
	const left = gatesLeft(trace).map(({taskId}) => taskId);
	const behind = dependantsOf(trace, [gate.taskId, ...left], {throughGates: true});
	return ({taskId}) => taskId !== gate.taskId && !behind.has(taskId);
};

/**
 * Yields what keeps a gate closed, as far as the log shows: work, an open run, or another gate. Without a
 * gate it yields what keeps all gates closed.
 */
export function* gateReasons(trace: Trace, gate?: Task): Generator<Reason> {
	const awaited = new Set<string>();
	for (const {taskId, status} of gate === undefined
		? trace.tasks.having(awaitedByAll)
		: tasksBefore(trace, gate)) {
		awaited.add(taskId);
		yield {for: 'dependency', taskId, status};
	}
	for (const run of openRuns(trace)) if (!awaited.has(run.taskId ?? '')) yield {for: 'run', run};
}

const tasksBefore = (trace: Trace, gate: Task): readonly Task[] => {
	const counts = countedBy(trace, gate);
	const needs = new Set(openNeeds(trace, gate));
	const counted = new Set([...trace.tasks.having(awaitedByOne)].filter(counts));
	return [...trace.tasks.values()].filter(task => needs.has(task.taskId) || counted.has(task));
};

/** The tasks that a gate needs and that are not over. A cancelled need does not hold up a gate. */
const openNeeds = ({tasks}: Trace, {dependsOn}: Task): readonly string[] =>
	dependsOn.filter(taskId => undone.some(status => status === tasks.get(taskId)?.status));

/**
 * Of the planned gates without open needs, returns the one that the fewest tasks have to wait behind; the
 * first of several.
 */
const nextGate = (trace: Trace): Task | undefined => {
	const [only, ...others] = [...trace.tasks.having(plannedGate)].filter(
		gate => !gate.withheld && openNeeds(trace, gate).length === 0,
	);
	if (only === undefined || others.length === 0) return only;
	const waiting = [...trace.tasks.having(plannedDependent)];
	return [only, ...others]
		.map(gate => ({gate, passed: waiting.filter(countedBy(trace, gate)).length}))
		.toSorted((one, other) => one.passed - other.passed)[0]?.gate;
};

const plannedGate = taskMarks(['planned'], ['gate']);

/**
 * True if no task can go on without a gate and no run or gate is open. Then a gate can be opened, or the
 * trace is past it.
 */
export const isAtGate = (trace: Trace): boolean =>
	!trace.killed &&
	trace.merge === undefined &&
	(trace.tasks.size > 0 || unownedWork(trace).length > 0) &&
	isFree(gateReasons(trace));

/**
 * True if no gate was completed yet and work for one is on record: a gate is due whatever the branch holds.
 */
const isFirstGateDue = (trace: Trace): boolean =>
	!finalGates(trace).some(({status}) => status === 'completed') &&
	workTasks(trace).some(({proposalWorkspace}) => proposalWorkspace === 'isolated');

/** Whether there is something to merge, as far as the log knows. If it is `unknown`, ask git. */
export const mergeOnRecord = (trace: Trace): 'none' | 'some' | 'unknown' =>
	isFirstGateDue(trace) ? 'some' : workOnRecord(trace);

/**
 * True if git has to be asked about the branch of a trace at its gate. The log does not know, and the answer
 * changes the decision.
 */
export const awaitsBranch = (trace: Trace): boolean =>
	isAtGate(trace) && mergeOnRecord(trace) === 'unknown' && decideGate(trace, true).gate !== 'none';

/** The action due at the gate: none, create a gate, or open or skip a planned one. */
export type GateDecision =
	| {readonly gate: 'none'}
	| {readonly gate: 'create'; readonly item: PlanItem}
	| {readonly gate: 'open' | 'skip'; readonly task: Task};

/**
 * The decision for a trace at its gate.
 *
 * @param branchDiffers the trace branch, with uncommitted work, differs from its base; used only if the log
 * does not know
 */
export const decideGate = (trace: Trace, branchDiffers: boolean): GateDecision => {
	const gates = finalGates(trace);
	const known = mergeOnRecord(trace);
	const needsMerge = known === 'unknown' ? branchDiffers : known === 'some';
	const planned = nextGate(trace);
	if (planned !== undefined) return {gate: needsMerge ? 'open' : 'skip', task: planned};
	const isWorkDone =
		workTasks(trace).some(({status}) => status === 'completed') || unownedWork(trace).length > 0;
	return needsMerge && isWorkDone ? {gate: 'create', item: gateItem(gates.length)} : {gate: 'none'};
};

const finalGates = (trace: Trace): Task[] => [...trace.tasks.having(gates)];

const gates = taskMarks(taskStatuses, ['gate']);

const workTasks = (trace: Trace): Task[] => [...trace.tasks.having(work)];

const work = taskMarks(taskStatuses, workTurns);

const gateItem = (earlier: number): PlanItem => ({
	taskId: earlier === 0 ? '_review' : `_review-${earlier + 1}`,
	title: 'Merge the trace',
	body: 'The work is done. Review the accumulated change and merge it, or reject it with what should be different.',
	review: 'final',
	dependsOn: [],
});
