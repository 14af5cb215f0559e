import type {Reason} from '../domain/reason.ts';
import {isUnfinished, type Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';

/** Tasks without dependencies go one after another (docs/rules.md §2); gates are opened when everything else is over. */
export const isQueued = ({dependsOn, review}: Task): boolean => dependsOn.length === 0 && review !== 'final';

/** It keeps those behind it in the queue from being made ready. */
export const holdsQueue = (task: Task): boolean => isQueued(task) && isUnfinished(task.status);

export const isMet = (need: Task | undefined): boolean => need?.status === 'completed';

/** What keeps a planned task from being made ready. */
export function* planReasons({tasks}: Trace, task: Task): Generator<Reason> {
	for (const taskId of task.dependsOn) {
		const need = tasks.get(taskId);
		if (need !== undefined && !isMet(need)) yield {for: 'dependency', taskId, status: need.status};
	}
	if (!isQueued(task)) return;
	for (const head of tasks.values()) {
		if (!holdsQueue(head)) continue;
		if (head.taskId !== task.taskId) yield {for: 'queue', taskId: head.taskId, status: head.status};
		return;
	}
}
