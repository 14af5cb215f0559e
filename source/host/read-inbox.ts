import type {ActionContext} from '../actions/context.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import {createClashReader} from './clashes.ts';
import {heldIn, surveyTraces} from './decisions.ts';
import {type InboxEntry, inboxOf} from './views/inbox.ts';

/** What needs a person now, with the traces that it was read from. */
export type InboxReading = {
	readonly entries: readonly InboxEntry[];
	readonly traces: ReadonlyMap<string, Trace>;
};

export type ReadInbox = () => Promise<InboxReading>;

/** Reads it from the log as it is at each call, whatever a face has seen of it. */
export const createInboxReader = (context: ActionContext): ReadInbox => {
	const readClashes = createClashReader(context);
	return async () => {
		const surveyed = await surveyTraces(context);
		const traces = surveyed.map(({trace}) => trace);
		const {conflicts} = await readClashes(traces);
		return {
			entries: inboxOf(traces, {held: heldIn(surveyed), conflicts, problems: context.colony.problems}),
			traces: new Map(traces.map(trace => [trace.traceId, trace])),
		};
	};
};

/** What was said in a trace behind a sequence, oldest first; of every trace without one. */
export const readSince = async (
	{bus}: Pick<ActionContext, 'bus'>,
	after: number,
	traceId?: string,
): Promise<readonly StoredEvent[]> => {
	const events: StoredEvent[] = [];
	for await (const batch of bus.read({after, ...(traceId !== undefined && {traceId})})) events.push(...batch);
	return events;
};
