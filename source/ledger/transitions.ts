import type {StoredEvent} from '../domain/event.ts';
import {exhausted} from '../domain/reserve.ts';
import {isPaused, isTerminal, type Task, type TaskStatus} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import type {Draft} from './draft.ts';
import {dependantsOf, gatesLeft, headOfQueue, isMet, leftNeed, unfinished} from './queue.ts';

/**
 * Moves a task to a status. The summary is replaced, by an empty one if none is given. If the task is then
 * over, the tasks that wait for it may become ready.
 */
export const moveTask = (
	draft: Draft,
	event: StoredEvent,
	task: Task,
	status: TaskStatus,
	summary = '',
): Task => {
	const {pausedUntil: _over, waitsFor: _decided, withheld: _released, ...rest} = task;
	const moved = {...rest, status, summary, updatedAt: event.at};
	draft.putTask(moved);
	if (isTerminal(status)) promoteAfter(draft, event, moved);
	return moved;
};

/** Pauses a task whose run met a temporary limit of its tool; it neither failed nor lacks honey. */
export const pauseTask = (
	draft: Draft,
	event: StoredEvent,
	task: Task,
	{summary, until}: {readonly summary: string; readonly until: string},
): void => draft.putTask({...moveTask(draft, event, task, 'blocked', summary), pausedUntil: until});

/** Makes a task ready once more. Its `task.ready` is due until the log has it. */
export const readyTask = (draft: Draft, event: StoredEvent, task: Task, announced = false): void => {
	const {
		reported: _reported,
		unattended: _unattended,
		pausedUntil: _over,
		waitsFor: _answered,
		withheld: _released,
		...rest
	} = task;
	draft.putTask({
		...rest,
		status: 'ready',
		summary: '',
		updatedAt: event.at,
		attempt: task.attempt + 1,
		announced,
	});
	draft.ready.push(task.taskId);
};

/**
 * Returns blocked tasks to ready when the reserve is positive again (docs/rules.md §1), except those that
 * wait for their tool.
 */
export const unblockTasks = (draft: Draft, event: StoredEvent): void => {
	if (draft.trace.killed || exhausted(draft.trace) !== undefined) return;
	for (const task of draft.trace.tasks.having(blocked))
		if (!isPaused(task)) readyTask(draft, event, {...task, attempt: task.attempt - 1});
};

const blocked = taskMarks(['blocked']);

/**
 * Makes ready the tasks that the plan allows: each task whose dependencies are all completed, and the first
 * unfinished task without dependencies. The reactor opens gates; they are never made ready.
 */
export const promoteTasks = (draft: Draft, event: StoredEvent): void => {
	if (draft.trace.killed) return;
	promoteQueue(draft, event);
	promoteDependants(draft, event, () => true);
};

/** The same, limited to the tasks that the end of this task can make ready. */
const promoteAfter = (draft: Draft, event: StoredEvent, {taskId, status}: Task): void => {
	if (draft.trace.killed) return;
	promoteQueue(draft, event);
	if (status === 'completed') promoteDependants(draft, event, ({dependsOn}) => dependsOn.includes(taskId));
};

const promoteQueue = (draft: Draft, event: StoredEvent): void => {
	const head = headOfQueue(draft.trace);
	if (head?.status === 'planned') readyTask(draft, event, head);
};

const promoteDependants = (draft: Draft, event: StoredEvent, concerns: (task: Task) => boolean): void => {
	for (const task of draft.trace.tasks.having(plannedDependent))
		if (concerns(task) && dependenciesCompleted(draft, task) && leftNeed(draft.trace, task) === undefined)
			readyTask(draft, event, task);
};

const plannedDependent = taskMarks(['planned'], ['dependent']);

export const dependenciesCompleted = (draft: Pick<Draft, 'task'>, task: Task): boolean =>
	task.dependsOn.every(dependency => isMet(draft.task(dependency)));

/** Completes a task and makes ready the tasks that waited for it. */
export const completeTask = (
	draft: Draft,
	event: StoredEvent,
	task: Task,
	report: {summary: string; commit: string},
): void => {
	const completed = moveTask(draft, event, task, 'completed', report.summary || task.summary);
	if (report.commit !== '') draft.putTask({...completed, commit: report.commit});
};

/**
 * Completes a gate. If its work is left unmerged, the tasks that need it wait for the merge. A merge includes
 * the work that earlier gates left.
 */
export const completeGate = (
	draft: Draft,
	event: StoredEvent,
	gate: Task,
	report: {summary: string; commit: string; isLeft: boolean},
): void => {
	if (report.isLeft) return completeTask(draft, event, {...gate, left: true}, report);
	for (const {left: _merged, ...earlier} of gatesLeft(draft.trace)) draft.putTask(earlier);
	completeTask(draft, event, gate, report);
	if (!draft.trace.killed) promoteDependants(draft, event, () => true);
};

/**
 * Cancels a task and every planned task that could never start without it (docs/rules.md §1). A gate can open
 * without it.
 */
export const cancelTask = (draft: Draft, event: StoredEvent, task: Task, reason: string): void => {
	moveTask(draft, event, task, 'cancelled', reason);
	for (const taskId of dependantsOf(draft.trace, [task.taskId], {throughGates: false})) {
		const dependant = draft.task(taskId);
		if (dependant !== undefined) moveTask(draft, event, dependant, 'cancelled', cancelledNeed(task.taskId));
	}
};

export const cancelledNeed = (taskId: string): string => `needs ${taskId}, which was cancelled`;

const unfinishedTasks = taskMarks(unfinished);

export const cancelUnfinished = (draft: Draft, event: StoredEvent, reason: string): void => {
	for (const task of draft.trace.tasks.having(unfinishedTasks)) {
		const merging = draft.trace.merge?.taskId === task.taskId;
		if (!merging) moveTask(draft, event, task, 'cancelled', reason);
	}
};
