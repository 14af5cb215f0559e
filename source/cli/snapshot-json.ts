import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {taskRecord} from '../domain/task-record.ts';
import {type Trace, titleOf} from '../domain/trace.ts';

/** The task snapshot that scripts rely on: the spec's fields, without the ledger's own. */
export const taskJson = (traceId: string, task: Task) => ({...taskRecord(traceId, task), body: task.body});

export const runJson = (run: RunRecord) => ({
	agentId: run.agentId,
	bee: run.bee,
	taskId: run.taskId ?? '',
	status: run.status,
	startedAt: run.startedAt,
	finishedAt: run.finishedAt ?? '',
	exitCode: run.exitCode ?? null,
});

/** One trace of `status --json` (design.md §5). */
export const traceJson = (trace: Trace, defaultBudget: number) => ({
	traceId: trace.traceId,
	title: titleOf(trace),
	energyBudget: trace.energyBudget ?? defaultBudget,
	energyRemaining:
		trace.energyBudget === undefined ? defaultBudget + trace.energyRemaining : trace.energyRemaining,
	killed: trace.killed,
	tasks: [...trace.tasks.values()].map(task => taskJson(trace.traceId, task)),
	runs: [...trace.runs.values()].map(runJson),
	problems: trace.problems,
});
