import type {RunRecord} from '../../domain/run.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';

/** A run as scripts know it; what is absent is empty. */
export const runSnapshot = (run: RunRecord) => ({
	agentId: run.agentId,
	bee: run.bee,
	taskId: run.taskId ?? '',
	status: run.status,
	startedAt: run.startedAt,
	finishedAt: run.finishedAt ?? '',
	exitCode: run.exitCode ?? null,
});

/** Runs of a task, in order of their claims; without one, those of the whole trace. */
export const runsOf = (trace: Trace, taskId?: string): readonly RunRecord[] => {
	const runs = [...trace.runs.values()];
	return taskId === undefined ? runs : runs.filter(run => run.taskId === taskId);
};

/** How many bees work now. */
export const liveBees = (traces: Iterable<Trace>): number =>
	[...traces].reduce((sum, trace) => sum + openRuns(trace).length, 0);
