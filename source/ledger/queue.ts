import type {Reason} from '../domain/reason.ts';
import {isTerminal, type Task, taskStatuses} from '../domain/task.ts';
import {taskMarks, turnOf} from '../domain/task-marks.ts';
import type {Trace} from '../domain/trace.ts';

/** What a late result still moves. */
export const unfinished = taskStatuses.filter(status => !isTerminal(status));
const holdingQueue = taskMarks(unfinished, ['queued']);

/** The task that keeps those behind it in the queue from being made ready (docs/rules.md §2). */
export const headOfQueue = ({tasks}: Pick<Trace, 'tasks'>): Task | undefined => {
	const [head] = tasks.having(holdingQueue);
	return head;
};

export const isMet = (need: Task | undefined): boolean => need?.status === 'completed';

/** Ids of what a task needs that is not completed, or not there: it cannot be started before. */
export const unmetNeeds = ({tasks}: Pick<Trace, 'tasks'>, {dependsOn}: Task): readonly string[] =>
	dependsOn.filter(taskId => !isMet(tasks.get(taskId)));

/** What keeps a planned task from being made ready. */
export function* planReasons({tasks}: Trace, task: Task): Generator<Reason> {
	for (const taskId of task.dependsOn) {
		const need = tasks.get(taskId);
		if (need !== undefined && !isMet(need)) yield {for: 'dependency', taskId, status: need.status};
	}
	if (turnOf(task) !== 'queued') return;
	const head = headOfQueue({tasks});
	if (head !== undefined && head.taskId !== task.taskId)
		yield {for: 'queue', taskId: head.taskId, status: head.status};
}
