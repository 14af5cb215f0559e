import type {Task} from '../../domain/task.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {isAtGuard} from '../../host/views/task.ts';
import type {Wait} from '../../host/waits/waits.ts';
import {queueKey} from './queue.ts';
import {selectedTask} from './selectors.ts';
import type {State} from './state.ts';
import {selectedTrace} from './trace-list.ts';

export const noWaits: readonly Wait[] = [];

/** The key of what waits: a task, else its trace. */
export const waitsKey = (trace: Trace, task: Task | undefined): string =>
	task ? queueKey({trace, task}) : trace.traceId;

/** The waits of the selected task, or of a trace without tasks, if they are known. */
export const selectedWaits = (state: State): readonly Wait[] => {
	if (state.past !== undefined) return noWaits;
	const [trace, task] = [selectedTrace(state), selectedTask(state)];
	const isKnown = trace !== undefined && state.waits?.key === waitsKey(trace, task);
	return isKnown && !hasNoWaits(trace, task) ? (state.waits?.waits ?? noWaits) : noWaits;
};

/** True if it waits for nothing, so that nothing has to be explained. */
export const hasNoWaits = (trace: Trace, task: Task | undefined): boolean =>
	task === undefined
		? openRuns(trace).length > 0
		: task.status === 'completed' ||
			task.status === 'cancelled' ||
			(task.status === 'running' && !isAtGuard(trace, task));
