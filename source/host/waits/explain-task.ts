import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {findTask, traceNotFound} from '../../domain/not-found.ts';
import type {Task} from '../../domain/task.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';
import {type Ledger, openLedger} from '../../ledger/ledger.ts';
import {type Cause, traceCauses} from '../../ledger/why.ts';
import type {Bus} from '../../ports/bus.ts';
import {readDecisions} from '../review/decisions.ts';
import {requestWaits, type Wait, waitsOf} from './waits.ts';

/** The events that led to a task's state, and what it waits for now. */
export type Explanation = {
	readonly trace: Trace;
	readonly task: Task;
	readonly causes: readonly Cause[];
	readonly waits: readonly Wait[];
};

/** Explains a task. Its trace may be omitted if only one has a task of that id. */
export const explainTask = async (
	context: ActionContext,
	{traceId: given, taskId}: {readonly traceId: string | undefined; readonly taskId: string},
): Promise<Outcome<Explanation>> => {
	const ledger = await openLedger(context.bus);
	const named = given === undefined ? onlyTraceWith(taskId, ledger.traces()) : accepted(given);
	if (!named.ok) return named;
	const traceId = named.value;
	const events = await readEvents(context.bus, traceId);
	if (events.length === 0) return traceNotFound(traceId);
	const {trace, causes} = traceCauses(traceId, taskId, events);
	const found = findTask(trace, taskId);
	if (!found.ok) return found;
	const task = found.value;
	return accepted({trace, task, causes, waits: await readWaits(context, trace, task, ledger)});
};

/** Returns what the task of the trace waits for now. */
export const readWaits = async (
	context: ActionContext,
	trace: Trace,
	task: Task,
	known?: Ledger,
): Promise<readonly Wait[]> => {
	const decisions = await readDecisions(context, known ?? (await openLedger(context.bus)));
	const {waits} = decisions.of(trace, {isAttended: await context.reactorIsAlive(trace.traceId)});
	return waitsOf(trace, task, waits.task(task));
};

/**
 * Returns what the trace's direct runs wait for. For a request without a task, that is all there is to
 * explain.
 */
export const readRequestWaits = async (
	context: ActionContext,
	trace: Trace,
	known: Ledger,
): Promise<readonly Wait[]> => {
	const decisions = await readDecisions(context, known);
	const isAttended = await context.reactorIsAlive(trace.traceId);
	return requestWaits(trace, decisions.of(trace, {isAttended}));
};

/** Finds the trace that has a task of this id, if there is only one. */
const onlyTraceWith = (taskId: string, traces: ReadonlyMap<string, Trace>): Outcome<string> => {
	const [found, ...others] = [...traces.values()].filter(({tasks}) => tasks.has(taskId));
	if (found === undefined) return refuse('task_not_found', {message: `No trace has a task "${taskId}".`});
	if (others.length === 0) return accepted(found.traceId);
	return refuse('task_not_found', {
		message: `More than one trace has a task "${taskId}".`,
		hint: 'Name the trace with --trace <id>.',
		details: [found, ...others].map(trace => ({path: trace.traceId, message: titleOf(trace)})),
	});
};

const readEvents = async (bus: Bus, traceId: string): Promise<StoredEvent[]> => {
	const events: StoredEvent[] = [];
	for await (const batch of bus.read({traceId, after: 0})) events.push(...batch);
	return events;
};
