import type {ActionContext} from '../actions/context.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {traceNotFound} from '../domain/not-found.ts';
import {emptyTrace, type Trace} from '../domain/trace.ts';
import {reduce} from '../ledger/reduce.ts';
import {readEvents} from './events.ts';

/** A trace with all of its events. */
export type TraceHistory = {
	/** Oldest first; at least one. */
	readonly events: readonly StoredEvent[];
	/** Returns the trace as it was after the event at that position. */
	readonly at: (position: number) => Trace;
};

/** Refuses an id that no event has. */
export const readHistory = async (
	context: Pick<ActionContext, 'bus'>,
	traceId: string,
): Promise<Outcome<TraceHistory>> => {
	const events: StoredEvent[] = [];
	for await (const event of readEvents(context, traceId)) events.push(event);
	if (events.length === 0) return traceNotFound(traceId);
	const at = (position: number): Trace => events.slice(0, position + 1).reduce(reduce, emptyTrace(traceId));
	return accepted({events, at});
};

/** A trace as of some sequence of the log, and its last event up to there. */
export type PastTrace = {
	readonly trace: Trace;
	readonly event: StoredEvent;
	/** The position of that event among the trace's events, from 1, and their current number. */
	readonly number: number;
	readonly count: number;
};

/** Refuses a sequence before the trace began. */
export const readPast = async (
	context: Pick<ActionContext, 'bus'>,
	traceId: string,
	sequence: number,
): Promise<Outcome<PastTrace>> => {
	const history = await readHistory(context, traceId);
	if (!history.ok) return history;
	const {events, at} = history.value;
	const position = events.findLastIndex(event => event.sequence <= sequence);
	const event = events[position];
	if (event === undefined)
		return refuse('trace_not_found', {
			message: `The trace ${traceId} began with event ${events[0]?.sequence}: there was nothing of it at ${sequence}.`,
			hint: `"hive replay ${traceId}" lists its events with their sequences.`,
		});
	return accepted({trace: at(position), event, number: position + 1, count: events.length});
};
