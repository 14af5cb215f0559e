import {accepted, type Outcome, refuse} from './errors.ts';
import type {Task} from './task.ts';
import type {Trace} from './trace.ts';

export const traceNotFound = (traceId: string) =>
	refuse('trace_not_found', {message: `There is no trace "${traceId}" in this colony.`});

export const runNotFound = (agentId: string) =>
	refuse('run_not_found', {message: `There is no run "${agentId}" in this colony.`});

/** Returns the task, or the refusal that there is none. */
export const findTask = (trace: Trace, taskId: string): Outcome<Task> => {
	const task = trace.tasks.get(taskId);
	if (task !== undefined) return accepted(task);
	return refuse('task_not_found', {
		message: `The trace ${trace.traceId} has no task "${taskId}".`,
		hint: `List its tasks with "hive task list --trace ${trace.traceId}".`,
	});
};
