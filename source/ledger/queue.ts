import type {Reason} from '../domain/reason.ts';
import {isTerminal, type Task, taskStatuses} from '../domain/task.ts';
import {taskMarks, turnOf, workTurns} from '../domain/task-marks.ts';
import type {Trace} from '../domain/trace.ts';

/** The statuses that a late result can still change. */
export const unfinished = taskStatuses.filter(status => !isTerminal(status));
const holdingQueue = taskMarks(unfinished, ['queued']);

/** The first unfinished task of the queue; the tasks behind it are not made ready (docs/rules.md §2). */
export const headOfQueue = ({tasks}: Pick<Trace, 'tasks'>): Task | undefined => {
	const [head] = tasks.having(holdingQueue);
	return head;
};

export const isMet = (need: Task | undefined): boolean => need?.status === 'completed';

/** Ids of the needs of a task that are not completed or do not exist; the task cannot start before. */
export const unmetNeeds = ({tasks}: Pick<Trace, 'tasks'>, {dependsOn}: Task): readonly string[] =>
	dependsOn.filter(taskId => !isMet(tasks.get(taskId)));

/** The tasks that it waits for, directly or through others. A cancelled need does not hold up a gate. */
export const allUnmetNeeds = ({tasks}: Pick<Trace, 'tasks'>, task: Task): readonly Task[] => {
	const found = new Set<Task>();
	const open = [task];
	// Iterating over an array includes the elements that are added meanwhile.
	for (const {dependsOn, review} of open) {
		for (const need of dependsOn.map(taskId => tasks.get(taskId))) {
			const isOver = isMet(need) || (review === 'final' && need?.status === 'cancelled');
			if (need === undefined || isOver || found.has(need)) continue;
			found.add(need);
			open.push(need);
		}
	}
	return [...found];
};

/**
 * A gate that the task needs and whose work was left unmerged. Only a person can start the task before the
 * merge.
 */
export const leftNeed = ({tasks}: Pick<Trace, 'tasks'>, {dependsOn}: Task): string | undefined =>
	dependsOn.find(taskId => tasks.get(taskId)?.left);

/** Yields the reasons why a planned task is not made ready. */
export function* planReasons(trace: Pick<Trace, 'tasks'>, task: Task): Generator<Reason> {
	if (task.withheld) yield {for: 'plan'};
	for (const taskId of task.dependsOn) {
		const need = trace.tasks.get(taskId);
		if (need !== undefined && !isMet(need)) yield {for: 'dependency', taskId, status: need.status};
	}
	const gate = leftNeed(trace, task);
	if (gate !== undefined) yield {for: 'left', taskId: gate};
	if (turnOf(task) !== 'queued') return;
	const head = headOfQueue(trace);
	if (head !== undefined && head.taskId !== task.taskId)
		yield {for: 'queue', taskId: head.taskId, status: head.status};
}

const leftGates = taskMarks(['completed'], ['gate']);
const plannedDependent = taskMarks(['planned'], ['dependent']);
const plannedWork = taskMarks(['planned'], workTurns);

/** Completed gates whose work is on the branch, unmerged. */
export const gatesLeft = ({tasks}: Pick<Trace, 'tasks'>): readonly Task[] =>
	[...tasks.having(leftGates)].filter(({left}) => left);

/** Planned tasks that wait only for the merge of the branch. */
export const awaitingMerge = (trace: Pick<Trace, 'tasks'>): readonly Task[] =>
	gatesLeft(trace).length === 0
		? []
		: [...trace.tasks.having(plannedDependent)].filter(
				task => unmetNeeds(trace, task).length === 0 && leftNeed(trace, task) !== undefined,
			);

/** The planned tasks that need one of these, directly or through other planned tasks. */
export const dependantsOf = (
	{tasks}: Pick<Trace, 'tasks'>,
	taskIds: readonly string[],
	{throughGates}: {readonly throughGates: boolean},
): ReadonlySet<string> => {
	const needing = new Map<string, string[]>();
	for (const {taskId, dependsOn} of tasks.having(throughGates ? planned : plannedWork))
		for (const need of dependsOn) needing.set(need, [...(needing.get(need) ?? []), taskId]);
	const found = new Set<string>();
	const open = [...taskIds];
	// Iterating over an array includes the elements that are added meanwhile.
	for (const need of open) {
		for (const taskId of needing.get(need) ?? []) {
			if (found.has(taskId)) continue;
			found.add(taskId);
			open.push(taskId);
		}
	}
	return found;
};

const planned = taskMarks(['planned']);
