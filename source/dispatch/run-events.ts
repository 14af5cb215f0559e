import {type EventType, type Payload, runtimeAgent} from '../domain/event.ts';
import type {ReportedEvidence} from '../domain/evidence.ts';
import type {Outside} from '../domain/outside.ts';
import type {NoChangePolicy} from '../domain/question.ts';
import type {ReserveLimit} from '../domain/reserve-limit.ts';
import {type RunRecord, type RunStatus, runEventId, type Trees, type Used} from '../domain/run.ts';
import {formatQuestions} from '../domain/run-questions.ts';
import type {Trace} from '../domain/trace.ts';
import {catchUp} from '../ledger/ledger.ts';
import type {RedactedBus} from '../ports/bus.ts';

/**
 * Appends an event of the runtime about a run. Its id depends only on run and step, so any process can repeat
 * it (docs/architecture.md §2).
 */
export const appendRunEvent = async (
	bus: RedactedBus,
	traceId: string,
	{agentId, step, index = 0}: {agentId: string; step: string; index?: number},
	{type, payload, by = agentId}: {type: EventType; payload: Payload; by?: string},
): Promise<number> => {
	const appended = await bus.append(
		{traceId, agentId: by, type, payload},
		{id: runEventId(traceId, agentId, step, index)},
	);
	return appended.ok ? appended.sequence : appended.last;
};

/**
 * Refunds the unit of a run that never began, or that met a limit of its tool. The refund is an event of its
 * own (docs/rules.md §2, §3; docs/architecture.md §5).
 */
export const giveBack = (
	bus: RedactedBus,
	{traceId}: Trace,
	{agentId}: RunRecord,
	why = 'never began',
): Promise<number> => {
	const payload = {kind: 'energy.add', amount: 1, reason: `run ${agentId} ${why}`};
	return appendRunEvent(bus, traceId, {agentId, step: 'refund'}, {type: 'SIGNAL', payload, by: runtimeAgent});
};

/** The end of a run, for its last events. */
export type RunEnd = {
	readonly status: RunStatus;
	readonly exitCode: number;
	readonly summary: string;
	/** Trees of the workspace, if the run changed it or is known to have left it as it was. */
	readonly trees?: Trees;
	/** Set if it could have proposed, ended well and changed nothing. */
	readonly noChange?: NoChangePolicy;
	/** Absent if its tool did not report it. */
	readonly usage?: Used;
	/** Set if it failed because of a limit of its tool, which passes at this time (UTC, RFC 3339). */
	readonly pausedUntil?: string;
	/** Set if it was stopped because its trace has spent this limit. */
	readonly limit?: ReserveLimit;
	/** For a verification. */
	readonly evidence?: ReportedEvidence;
	/** Already limited and redacted by `warningsForLog`. */
	readonly warnings?: readonly string[];
} & Partial<Outside>;

/**
 * Emits that the run's task failed, or is blocked until a limit of its tool passes. Emits nothing if the task
 * was meanwhile killed, cancelled or taken from the run.
 */
const announceFailure = async (
	bus: RedactedBus,
	known: Trace,
	{agentId, taskId, trigger}: RunRecord,
	{summary, pausedUntil, limit}: RunEnd,
): Promise<void> => {
	const {traceId} = known;
	if (taskId === undefined || trigger !== undefined) return;
	const holds = {...(pausedUntil && {until: pausedUntil}), ...(limit && {limit})};
	const isHeld = Object.keys(holds).length > 0;
	const became = {status: isHeld ? 'blocked' : 'failed', ...holds};
	for (let trace = known; ; ) {
		trace = await catchUp(bus, trace);
		const {tasks, runs, sequence} = trace;
		const questionText = isHeld ? '' : formatQuestions(runs.get(agentId) ?? {});
		const payload = {kind: 'task.status', taskId, ...became, summary: questionText || summary, agentId};
		const task = tasks.get(taskId);
		if (task?.status !== 'running' || task.agentId !== agentId) return;
		const appended = await bus.append(
			{traceId, agentId: runtimeAgent, type: 'SIGNAL', payload},
			{id: runEventId(traceId, agentId, 'failed'), after: sequence},
		);
		if (appended.ok) return;
	}
};

/** Closes a run: `task.status` if its task failed or is blocked with it, then `run.finished`, always last. */
export const closeRun = async (
	bus: RedactedBus,
	trace: Trace,
	run: RunRecord,
	end: RunEnd,
): Promise<number> => {
	const {agentId, bee, taskId} = run;
	const task = taskId === undefined ? {} : {taskId};
	if (end.status !== 'completed') await announceFailure(bus, trace, run, end);
	const {warnings = [], ...fields} = end;
	const warned = warnings.length === 0 ? {} : {warnings};
	const payload = {kind: 'run.finished', agentId, bee, ...task, ...fields, ...warned};
	return appendRunEvent(
		bus,
		trace.traceId,
		{agentId, step: 'finished'},
		{type: 'SIGNAL', payload, by: runtimeAgent},
	);
};
