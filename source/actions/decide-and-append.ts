import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {NewEvent} from '../domain/event.ts';
import {refuseForCheckout} from '../domain/machine-status.ts';
import {findTask, traceNotFound} from '../domain/not-found.ts';
import type {Task} from '../domain/task.ts';
import {isShown, type Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {IdentifiedEvent} from '../ports/bus.ts';
import type {ActionContext} from './context.ts';

/** The events that an action appends after looking at the trace, if any are needed, and its result. */
export type AppendDecision<Value> = {
	readonly event?: ActionEvent;
	/** Appended together with the event, after it and in this order. */
	readonly next?: readonly ActionEvent[];
	readonly value: Value;
};

type ActionEvent = Omit<NewEvent, 'traceId'>;

/** Attempts on a busy trace before the action is refused. */
const maxAttempts = 16;

/**
 * Runs one human action: reads the trace, then refuses or appends. The append is conditional on the trace
 * that was read. If the trace has changed meanwhile, the action decides again, so only a relevant change
 * refuses it.
 */
export const decideAndAppend = async <Value>(
	context: ActionContext,
	traceId: string,
	decide: (trace: Trace) => Outcome<AppendDecision<Value>>,
): Promise<Outcome<{readonly value: Value; readonly sequence: number; readonly trace: Trace}>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	const ids: string[] = [];
	return appendDecided(context, traceId, trace => {
		const decided = isShown(trace) ? decide(trace) : traceNotFound(traceId);
		if (!decided.ok) return decided;
		const {event, next = [], value} = decided.value;
		const drafts = event === undefined ? next : [event, ...next];
		while (ids.length < drafts.length) ids.push(context.ids.event());
		const events = drafts.map((draft, index) => ({id: ids[index] ?? '', event: {...draft, traceId}}));
		return accepted({events, value});
	});
};

/**
 * Appends the events that `decide` returns, on the condition that the trace has not changed. If it has, asks
 * `decide` again.
 */
export const appendDecided = async <Value>(
	{bus}: Pick<ActionContext, 'bus'>,
	traceId: string,
	decide: (trace: Trace) => Outcome<{readonly events: readonly IdentifiedEvent[]; readonly value: Value}>,
): Promise<Outcome<{readonly value: Value; readonly sequence: number; readonly trace: Trace}>> => {
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const trace = await loadTrace(bus, traceId);
		const decided = decide(trace);
		if (!decided.ok) return decided;
		const {events, value} = decided.value;
		if (events.length === 0) return accepted({value, sequence: trace.sequence, trace});
		const appended = await bus.appendAll(events, trace.sequence);
		if (appended.ok) return accepted({value, sequence: appended.sequence, trace});
	}
	return refuse('conflict');
};

/** Refuses inside a run: agents are not people, so they take no human action (docs/architecture.md §4). */
export const refuseInsideRun = ({insideRun}: Pick<ActionContext, 'insideRun'>) =>
	insideRun === undefined
		? undefined
		: refuse('not_for_agents', {
				message: `Run ${insideRun.agentId} may not do this: only a person may decide it.`,
			});

/** Refuses in any checkout except the one in which the trace's work is done. */
export const refuseElsewhere = ({traceId, place}: Trace, here: string) =>
	place === undefined || place === here
		? undefined
		: refuseForCheckout(place, {message: `The trace ${traceId} belongs to the checkout ${place}.`});

/**
 * Refuses while a merge is open, when only the merge itself may change the trace (docs/reliability.md §4),
 * and after a kill.
 */
export const refuseUnlessOpen = (trace: Trace) => {
	const killed = refuseKilled(trace);
	if (killed !== undefined) return killed;
	return trace.merge === undefined ? undefined : mergeOpen(trace.traceId, trace.merge.taskId);
};

export const refuseKilled = ({killed, traceId, killReason}: Trace) =>
	killed ? refuse('trace_killed', {message: `The trace ${traceId} is killed: ${killReason}`}) : undefined;

const mergeOpen = (traceId: string, taskId: string | undefined) => {
	const isUpdate = taskId === undefined;
	const again = isUpdate ? `update --trace ${traceId}` : `approve --trace ${traceId} --task ${taskId}`;
	return refuse('merge_open', {
		message: isUpdate
			? `The base is being merged into the worktree of ${traceId}.`
			: `A merge of ${traceId} is under way, for ${taskId}.`,
		hint: `If it was interrupted, "hive proposal ${again}" finishes it.`,
	});
};

export const wrongStatus = (task: Task, expected: string) =>
	refuse('wrong_status', {message: `The task ${task.taskId} is ${task.status}; it has to be ${expected}.`});

/** What a person was shown of a task when they decided; absent if they did not look. */
type Precondition = {
	readonly status?: string | undefined;
	readonly agentId?: string | undefined;
	readonly proposal?: number | undefined;
};

/** Refuses as stale only if something that was shown has changed. */
const refuseStale = (task: Task, expected: Precondition | undefined) => {
	if (expected === undefined) return undefined;
	const same =
		(expected.status === undefined || expected.status === task.status) &&
		(expected.agentId === undefined || expected.agentId === task.agentId) &&
		(expected.proposal === undefined || expected.proposal === task.proposal?.sequence);
	return same
		? undefined
		: refuse('stale_view', {
				message: `The task ${task.taskId} changed since you looked: it is ${task.status}.`,
			});
};

/** A task as a person names it, and what they were shown of it. */
export type TaskInput = {
	readonly traceId: string;
	readonly taskId: string;
	readonly expected?: Precondition | undefined;
};

/** Finds the task. Refused unless people may change the trace and the task is still as it was shown. */
export const findOpenTask = (trace: Trace, {taskId, expected}: TaskInput): Outcome<Task> => {
	const found = findTask(trace, taskId);
	if (!found.ok) return found;
	return refuseUnlessOpen(trace) ?? refuseStale(found.value, expected) ?? found;
};
