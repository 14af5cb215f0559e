import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {taskName, traceName} from './name.ts';

/** The ids in an action's input that name its subject. */
export type Named = Readonly<Partial<Record<'traceId' | 'taskId' | 'agentId', unknown>>>;

type Traces = ReadonlyMap<string, Trace>;

/** Returns the trace that has the run; undefined if none has. */
export const traceOfRun = (traces: Traces, agentId: unknown): Trace | undefined =>
	typeof agentId === 'string' ? [...traces.values()].find(({runs}) => runs.has(agentId)) : undefined;

/** How a client names traces and tasks. */
type Naming = {
	readonly ofTrace: (trace: Trace) => string;
	readonly ofTask: (trace: Trace, task: Task) => string;
};

const usual: Naming = {ofTrace: traceName, ofTask: (_, task) => taskName(task)};

/** Quoted commands keep their ids, since they are meant to be typed. */
const quotedOrWord = /"[^"\n]*"|(?<bee>\bbee )?(?<id>\w[\w.-]*\w|\w)/g;

/**
 * Replaces ids by titles in a sentence of the host. Task ids may be plain words, so only the subject's id and
 * generated ids are replaced.
 */
export const withTitles = (
	sentence: string,
	traces: Traces,
	subject: Named,
	{ofTrace, ofTask} = usual,
): string => {
	const trace = traces.get(String(subject.traceId)) ?? traceOfRun(traces, subject.agentId);
	return sentence.replaceAll(
		quotedOrWord,
		(whole: string, bee: string | undefined, id: string | undefined) => {
			if (id === undefined || bee !== undefined) return whole;
			const named = traces.get(id);
			if (named !== undefined) return ofTrace(named);
			const isOurs = id === subject.taskId || /^(task-[0-9a-f]{16}|_review(-\d+)?)$/.test(id);
			const task = isOurs ? trace?.tasks.get(id) : undefined;
			if (trace !== undefined && task !== undefined) return ofTask(trace, task);
			const invite = trace?.invites.get(id);
			if (invite !== undefined) return `the invite to ${invite.bee}`;
			return /^[0-9a-f]{16}$/.test(id) ? (traceOfRun(traces, id)?.runs.get(id)?.bee ?? whole) : whole;
		},
	);
};
