import type {ActionContext} from '../../actions/context.ts';
import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import {catchUpLedger, type Ledger} from '../../ledger/ledger.ts';
import {createClashReader} from '../live/clashes.ts';
import {type InboxEntry, inboxOf} from '../views/inbox.ts';
import {readDecisions} from './decisions.ts';

/** What needs a person now, with the traces that it was read from. */
export type InboxReading = {
	readonly entries: readonly InboxEntry[];
	readonly traces: ReadonlyMap<string, Trace>;
};

export type ReadInbox = () => Promise<InboxReading>;

/**
 * Reads it from the log as it is at each call, whatever a face has seen of it: the ledger is folded up to the
 * log's end first, so a call costs what came since.
 */
export const createInboxReader = (context: ActionContext, ledger: Ledger): ReadInbox => {
	const readClashes = createClashReader(context);
	return async () => {
		await catchUpLedger(context.bus, ledger);
		const held = (await readDecisions(context, ledger)).held();
		const traces = new Map(ledger.traces());
		const {conflicts} = await readClashes(traces.values());
		return {
			entries: inboxOf(traces.values(), {held, conflicts, problems: context.colony.problems}),
			traces,
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
