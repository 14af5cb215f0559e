import {exitCodes} from '../domain/error-table.ts';
import type {TaskStatus} from '../domain/task.ts';
import {runWithoutTasks, type Trace} from '../domain/trace.ts';

/** Some task of the trace can still move, or waits for a person. */
export const hasWork = (trace: Trace): boolean =>
	!trace.killed &&
	[...trace.tasks.values()].some(({status}) => status !== 'completed' && status !== 'cancelled');

/**
 * Exit code of an idle colony, over the traces that had work: failed before honey before a person (design.md §5). A request
 * whose planning failed has no task that could say so, and neither has a guard that waits for honey.
 */
export const idleExit = (traces: readonly Trace[], starved: ReadonlySet<string>): number => {
	const statuses = new Set<TaskStatus>(
		traces.flatMap(({tasks}) => [...tasks.values()].map(({status}) => status)),
	);
	if (traces.some(trace => runWithoutTasks(trace)?.status === 'failed')) return exitCodes.taskFailed;
	if (statuses.has('failed') || statuses.has('cancelled')) return exitCodes.taskFailed;
	if (statuses.has('blocked') || traces.some(({traceId}) => starved.has(traceId)))
		return exitCodes.honeyExhausted;
	return statuses.has('waiting_review') ? exitCodes.waitingForHuman : exitCodes.done;
};
