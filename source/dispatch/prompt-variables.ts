import {resultFileOf} from '../agents/adapter.ts';
import type {Colony} from '../colony/colony.ts';
import {normaliseIntent} from '../colony/intents.ts';
import type {PromptVariables} from '../colony/prompts.ts';
import type {RunRecord} from '../domain/run.ts';
import {taskStatuses} from '../domain/task.ts';
import {taskMarks, workTurns} from '../domain/task-marks.ts';
import {type Trace, titleOf} from '../domain/trace.ts';
import {artifactsDirectory, runDirectory} from '../runs/layout.ts';
import type {Assignment} from './assignment.ts';
import type {RunWorkspace} from './workspace.ts';

/** The variables for the templates of one run (docs/rules.md §9). */
export const promptVariables = (
	colony: Colony,
	trace: Trace,
	run: RunRecord,
	{bee, task, taskId, text, sector, intent, insights, feedback, evidence}: Assignment,
	workspace: RunWorkspace,
): PromptVariables => {
	const normalised = normaliseIntent(colony, bee, intent);
	return {
		Bee: bee.role,
		Adapter: bee.adapter,
		TraceID: trace.traceId,
		AgentID: run.agentId,
		TaskID: taskId,
		ColonyRoot: colony.root,
		Workspace: workspace.directory,
		Task: text,
		TraceTitle: titleOf(trace),
		Sector: sector ?? '',
		SectorPath: workspace.sectorPath,
		Intent: normalised.intent,
		IntentRaw: normalised.raw,
		Insights: insights,
		Feedback: feedback,
		Evidence: evidence,
		ResultFile: resultFileOf(bee, runDirectory(colony.root, trace.traceId, run.agentId)),
		ArtifactsDir: artifactsDirectory(colony.root, trace.traceId),
		Interactive: run.interactive === true,
		IsLastWorkTask: task !== undefined && run.trigger === undefined && isLastWork(trace, task.taskId),
	};
};

/** True if every other task that is not a gate is completed. */
const isLastWork = ({tasks}: Trace, taskId: string): boolean => {
	for (const task of tasks.having(uncompletedWork)) if (task.taskId !== taskId) return false;
	return true;
};

const uncompletedWork = taskMarks(
	taskStatuses.filter(status => status !== 'completed'),
	workTurns,
);
