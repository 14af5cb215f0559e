import type {ActionContext} from '../../actions/context.ts';
import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import {catchUpLedger, type Ledger} from '../../ledger/ledger.ts';
import {createClashReader} from '../live/clashes.ts';
import {readSessionsOf} from '../sessions/sessions.ts';
import {type InboxEntry, inboxOf} from '../views/inbox.ts';
import {readDecisions} from './decisions.ts';

/** Everything that needs a person now, and the traces from which it was read. */
export type InboxReading = {
	readonly entries: readonly InboxEntry[];
	readonly traces: ReadonlyMap<string, Trace>;
};

export type ReadInbox = () => Promise<InboxReading>;

/**
 * Returns a reader of the inbox. Each call reads the log up to its end, however far a face has read it. The
 * ledger is folded first, so a call costs as much as the new events.
 */
export const createInboxReader = (context: ActionContext, ledger: Ledger): ReadInbox => {
	const readClashes = createClashReader(context);
	return async () => {
		await catchUpLedger(context.bus, ledger);
		const held = (await readDecisions(context, ledger)).held();
		const traces = new Map(ledger.traces());
		const [{conflicts}, sessions] = await Promise.all([
			readClashes(traces.values()),
			readSessionsOf(context, traces.values()),
		]);
		return {
			entries: inboxOf(traces.values(), {held, conflicts, sessions, problems: context.colony.problems}),
			traces,
		};
	};
};

/** Returns the events after a sequence, oldest first: of the trace, or of all traces. */
export const readSince = async (
	{bus}: Pick<ActionContext, 'bus'>,
	after: number,
	traceId?: string,
): Promise<readonly StoredEvent[]> => {
	const events: StoredEvent[] = [];
	for await (const batch of bus.read({after, ...(traceId !== undefined && {traceId})})) events.push(...batch);
	return events;
};
