import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {taskName, traceName} from '../../host/views/name.ts';
import {shortId} from '../parts/words.ts';
import {perObject} from './memo.ts';

export type Traces = ReadonlyMap<string, Trace>;

/** How many are called so. */
const countNames = (names: readonly string[]): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return counts;
};

const traceNames = perObject((traces: Traces) => countNames([...traces.values()].map(traceName)));
const taskNames = perObject((trace: Trace) => countNames([...trace.tasks.values()].map(taskName)));

const told = (name: string, id: string, counts: ReadonlyMap<string, number>): string =>
	(counts.get(name) ?? 0) > 1 && name !== id ? `${name} ${shortId(id)}` : name;

/** What a trace is called; its id follows where another one is called the same. */
export const traceTitle = (traces: Traces, trace: Trace): string =>
	told(traceName(trace), trace.traceId, traceNames(traces));

/** What a task is called; its id follows where another one of its trace is called the same. */
export const taskTitle = (trace: Trace, task: Task): string =>
	told(taskName(task), task.taskId, taskNames(trace));

/** A task, and the trace that it is of: `Partial index · Add OAuth login`. */
export const fullTitle = (traces: Traces, trace: Trace, task: Task): string =>
	[...new Set([taskTitle(trace, task), traceTitle(traces, trace)])].join(' · ');

/** What a decision about the task is about: at a final gate all that its trace did. */
export const decidedTitle = (traces: Traces, trace: Trace, task: Task): string =>
	task.review === 'final' ? traceTitle(traces, trace) : fullTitle(traces, trace, task);

/** What an action is about, as its input names it. */
type Named = Readonly<Partial<Record<'traceId' | 'taskId' | 'agentId', unknown>>>;

const holdsRun = (traces: Traces, agentId: unknown): Trace | undefined =>
	typeof agentId === 'string' ? [...traces.values()].find(({runs}) => runs.has(agentId)) : undefined;

/** The titles of what an action is about; empty where it is about nothing that is known. */
export const titleOfInput = (traces: Traces, {traceId, taskId, agentId}: Named): string => {
	const trace = traces.get(String(traceId)) ?? holdsRun(traces, agentId);
	if (trace === undefined) return '';
	const task = trace.tasks.get(String(taskId ?? trace.runs.get(String(agentId))?.taskId));
	return task === undefined ? traceTitle(traces, trace) : fullTitle(traces, trace, task);
};

/** Quoted commands keep their ids: they are to be typed. */
const quotedOrWord = /"[^"\n]*"|(?<bee>\bbee )?(?<id>\w[\w.-]*\w|\w)/g;

/**
 * A sentence of the host with titles in the place of ids. Task ids may be plain words, so only that of the
 * subject is looked for, and ids that hive made.
 */
export const withTitles = (sentence: string, traces: Traces, subject: Named): string =>
	sentence.replaceAll(quotedOrWord, (whole: string, bee: string | undefined, id: string | undefined) => {
		if (id === undefined || bee !== undefined) return whole;
		const named = traces.get(id);
		if (named !== undefined) return traceTitle(traces, named);
		const isOurs = id === subject.taskId || /^(task-[0-9a-f]{16}|_review(-\d+)?)$/.test(id);
		const trace = traces.get(String(subject.traceId)) ?? holdsRun(traces, subject.agentId);
		const task = isOurs ? trace?.tasks.get(id) : undefined;
		if (trace !== undefined && task !== undefined) return taskTitle(trace, task);
		const invite = trace?.invites.get(id);
		if (invite !== undefined) return `the invite to ${invite.bee}`;
		return /^[0-9a-f]{16}$/.test(id) ? (holdsRun(traces, id)?.runs.get(id)?.bee ?? whole) : whole;
	});
