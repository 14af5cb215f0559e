import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {taskName, traceName} from '../../host/views/name.ts';
import {type Named, withTitles as replaceIds, traceOfRun} from '../../host/views/titles.ts';
import {shortId} from '../parts/format.ts';
import {perObject} from './memo.ts';

export type Traces = ReadonlyMap<string, Trace>;

/** The number of uses of each name. */
const countNames = (names: readonly string[]): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return counts;
};

const traceNames = perObject((traces: Traces) => countNames([...traces.values()].map(traceName)));
const taskNames = perObject((trace: Trace) => countNames([...trace.tasks.values()].map(taskName)));

const disambiguate = (name: string, id: string, counts: ReadonlyMap<string, number>): string =>
	(counts.get(name) ?? 0) > 1 && name !== id ? `${name} ${shortId(id)}` : name;

/** The name of a trace, followed by its id if another trace has the same name. */
export const traceTitle = (traces: Traces, trace: Trace): string =>
	disambiguate(traceName(trace), trace.traceId, traceNames(traces));

/** The name of a task, followed by its id if another task of its trace has the same name. */
export const taskTitle = (trace: Trace, task: Task): string =>
	disambiguate(taskName(task), task.taskId, taskNames(trace));

/** The name of a task with its trace: `Partial index · Add OAuth login`. */
export const fullTitle = (traces: Traces, trace: Trace, task: Task): string =>
	[...new Set([taskTitle(trace, task), traceTitle(traces, trace)])].join(' · ');

/** The subject of a decision about the task. At a final gate that is the whole trace. */
export const decidedTitle = (traces: Traces, trace: Trace, task: Task): string =>
	task.review === 'final' ? traceTitle(traces, trace) : fullTitle(traces, trace, task);

/** The title of an action's subject. Empty if it has no known subject. */
export const titleOfInput = (traces: Traces, {traceId, taskId, agentId}: Named): string => {
	const trace = traces.get(String(traceId)) ?? traceOfRun(traces, agentId);
	if (trace === undefined) return '';
	const task = trace.tasks.get(String(taskId ?? trace.runs.get(String(agentId))?.taskId));
	return task === undefined ? traceTitle(traces, trace) : fullTitle(traces, trace, task);
};

/** Replaces ids in a sentence of the host by the titles that the dashboard shows. */
export const withTitles = (sentence: string, traces: Traces, subject: Named): string =>
	replaceIds(sentence, traces, subject, {
		ofTrace: trace => traceTitle(traces, trace),
		ofTask: taskTitle,
	});
