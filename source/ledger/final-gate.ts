import {isFree, type Reason} from '../domain/reason.ts';
import {type PlanItem, type Task, taskStatuses} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {workOnRecord} from './work-on-record.ts';

/** Work that is neither completed nor cancelled by a person, and another gate that is open. */
const awaitedByGate =
	taskMarks(
		taskStatuses.filter(status => status !== 'completed' && status !== 'cancelled'),
		['queued', 'dependent'],
	) | taskMarks(['waiting_review'], ['gate']);

/** What keeps the gate of a trace closed, as far as the log shows: work, an open run, or another gate that is open. */
export function* gateReasons(trace: Trace): Generator<Reason> {
	const awaited = new Set<string>();
	for (const {taskId, status} of trace.tasks.having(awaitedByGate)) {
		awaited.add(taskId);
		yield {for: 'dependency', taskId, status};
	}
	for (const run of openRuns(trace)) if (!awaited.has(run.taskId ?? '')) yield {for: 'run', run};
}

/** Its tasks are over, no run and no gate is open: a gate can be opened, or the trace is past it. */
export const isAtGate = (trace: Trace): boolean =>
	!trace.killed && trace.merge === undefined && trace.tasks.size > 0 && isFree(gateReasons(trace));

/** No gate was passed yet, and work for one is on record: a gate is due whatever the branch holds. */
const isFirstGateDue = (trace: Trace): boolean =>
	!finalGates(trace).some(({status}) => status === 'completed') &&
	workTasks(trace).some(({proposalWorkspace}) => proposalWorkspace === 'isolated');

/** Whether there is something to merge, as far as the log knows; git knows the rest. */
export const mergeOnRecord = (trace: Trace): 'none' | 'some' | 'unknown' =>
	isFirstGateDue(trace) ? 'some' : workOnRecord(trace);

/** Git is asked of the branch of a trace at its gate only where the log does not know, and the answer decides something. */
export const awaitsBranch = (trace: Trace): boolean =>
	isAtGate(trace) && mergeOnRecord(trace) === 'unknown' && decideGate(trace, true).gate !== 'none';

/** What is due at the gate: nothing, a gate to create, or a planned gate to open or to skip. */
export type GateDecision =
	| {readonly gate: 'none'}
	| {readonly gate: 'create'; readonly item: PlanItem}
	| {readonly gate: 'open' | 'skip'; readonly task: Task};

/**
 * Of a trace at its gate.
 *
 * @param branchDiffers the trace branch, uncommitted work included, differs from its base; counts where the log does not know
 */
export const decideGate = (trace: Trace, branchDiffers: boolean): GateDecision => {
	const gates = finalGates(trace);
	const known = mergeOnRecord(trace);
	const needsMerge = known === 'unknown' ? branchDiffers : known === 'some';
	const planned = gates.find(({status}) => status === 'planned');
	if (planned !== undefined) return {gate: needsMerge ? 'open' : 'skip', task: planned};
	const someCompleted = workTasks(trace).some(({status}) => status === 'completed');
	return needsMerge && someCompleted ? {gate: 'create', item: gateItem(gates.length)} : {gate: 'none'};
};

const finalGates = (trace: Trace): Task[] => [...trace.tasks.having(gates)];

const gates = taskMarks(taskStatuses, ['gate']);

const workTasks = (trace: Trace): Task[] => [...trace.tasks.having(work)];

const work = taskMarks(taskStatuses, ['queued', 'dependent']);

const gateItem = (earlier: number): PlanItem => ({
	taskId: earlier === 0 ? '_review' : `_review-${earlier + 1}`,
	title: 'Merge the trace',
	body: 'Every task is done. Review the accumulated change and merge it, or reject it with what should be different.',
	review: 'final',
});
