import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import type {Trace} from '../domain/trace.ts';

/**
 * The last run that an event about the task started, such as its guard's, when it failed and is not superseded; else the last
 * that verified it, when that did (docs/architecture.md §6).
 */
export const failedDirectRun = (trace: Trace, task: Task): RunRecord | undefined => {
	const direct = [...trace.runs.values()].filter(
		({taskId, trigger}) => taskId === task.taskId && trigger !== undefined,
	);
	const ofBees = direct.filter(({verifies}) => verifies === undefined);
	return (
		failedLast(task, ofBees) ??
		failedLast(
			task,
			direct.filter(({verifies}) => verifies !== undefined),
		)
	);
};

const failedLast = ({proposal}: Task, runs: readonly RunRecord[]): RunRecord | undefined => {
	const last = runs.at(-1);
	const failed = last?.status === 'failed' || last?.status === 'cancelled';
	const current = (last?.trigger ?? 0) >= (proposal?.sequence ?? 0);
	return failed && current ? last : undefined;
};

/**
 * The failed direct run that a retry of the task repeats (docs/architecture.md §6): of one that waits for review or is
 * completed, as long as the trace is open and no gate has taken what the run looked at.
 */
export const repeatableRun = (trace: Trace, task: Task): RunRecord | undefined => {
	const mayRepeat = task.status === 'waiting_review' || task.status === 'completed';
	if (trace.killed || trace.merge !== undefined || task.review === 'final' || !mayRepeat) return undefined;
	const failed = failedDirectRun(trace, task);
	if (failed === undefined || isPastGate(trace, failed)) return undefined;
	// A verdict on what a person has completed starts nothing.
	return task.approved === true && failed.trigger === task.verdict?.sequence ? undefined : failed;
};

/** A gate was completed after the run began: what it looked at is merged, or left on its branch. */
export const isPastGate = (trace: Trace, {startedAt}: RunRecord): boolean =>
	[...trace.tasks.having(passedGates)].some(({updatedAt}) => updatedAt >= startedAt);

const passedGates = taskMarks(['completed'], ['gate']);
