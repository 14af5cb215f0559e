import type {RunRecord} from '../../../domain/run.ts';
import type {Task} from '../../../domain/task.ts';
import {runWithoutTasks, type Trace} from '../../../domain/trace.ts';
import type {RunActivities} from '../activity.ts';
import {runsOf} from '../run.ts';
import {failureLines, fileLines, runLines} from './run.ts';
import {type DetailFacts, type DetailLine, type Section, section, textLines} from './section.ts';
import {reviewLines, taskLines, whyLines} from './task.ts';
import {traceLines} from './trace.ts';

/** The subject of a detail view: a trace, one of its tasks, and the run whose output is shown. */
export type DetailSubject = {readonly trace: Trace; readonly task?: Task; readonly run?: RunRecord};

type Known = {
	/** Absent until they are read. */
	readonly facts: DetailFacts | undefined;
	readonly activities: RunActivities;
	/** Other live traces that change the same lines, and the paths. */
	readonly sharing?: readonly string[];
	/** Milliseconds since 1970. */
	readonly now: number;
};

/**
 * Returns the run shown for a task, or for a trace without tasks, unless a person chose another: the newest.
 */
export const newestRun = (trace: Trace, task: Task | undefined): RunRecord | undefined =>
	task === undefined ? runWithoutTasks(trace) : runsOf(trace, task.taskId).at(-1);

/** Returns everything known about the subject, as non-empty sections. The reason of a failure comes first. */
export const detailSections = (
	subject: DetailSubject,
	{facts, activities: doings, sharing, now}: Known,
): readonly Section[] => {
	const {trace, task, run} = subject;
	const ofRun = facts?.run !== undefined && facts.run.agentId === run?.agentId ? facts.run : undefined;
	return [
		...section('failure', 'Failure', whyFailed(subject, facts, now)),
		...(task === undefined
			? section('trace', 'Trace', traceLines(trace, {facts, sharing, now}))
			: section('task', 'Task', taskLines(trace, task, facts, now))),
		...(task === undefined ? [] : section('why', 'Why', whyLines(facts))),
		...(task === undefined ? [] : section('review', 'Review', reviewLines(trace, task))),
		...section('runs', 'Runs', attempts(subject, {facts, activities: doings, now})),
		...section('files', 'Files', ofRun === undefined ? [] : fileLines(ofRun)),
		...section('prompt', 'Prompt', textLines(ofRun?.prompt ?? '')),
	];
};

const whyFailed = ({task, run}: DetailSubject, facts: DetailFacts | undefined, now: number) => {
	const hasFailed = run?.status === 'failed' || run?.status === 'cancelled';
	const ofRun = facts?.run?.agentId === run?.agentId ? facts?.run : undefined;
	if (run && hasFailed) return failureLines(run, ofRun, task, now);
	return task?.status === 'failed' || task?.status === 'blocked' ? textLines(task.summary, 'bad') : [];
};

/** Lists every run of it, the newest first. */
const attempts = (
	{trace, task}: DetailSubject,
	{facts, activities: doings, now}: Known,
): readonly DetailLine[] =>
	runsOf(trace, task?.taskId)
		.toReversed()
		.flatMap((run, index) => [
			...(index === 0 ? [] : [{text: ''}]),
			...runLines(run, {used: facts?.used.get(run.agentId), activity: doings.get(run.agentId), now}),
		]);
