import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {isUnfinished, isWaiting} from './interest.ts';
import type {OtherPlaces} from './machines/other-places.ts';
import {isOwed, type Pending} from './pending.ts';
import type {Rested} from './rested.ts';
import type {TakeTurn} from './take-turn.ts';
import type {TurnPorts} from './turns.ts';
import type {Waiting} from './waiting.ts';

type Parts = {
	readonly checkout: string;
	readonly ledger: Pick<Ledger, 'snapshot'>;
	readonly pending: Pending;
	readonly places: Pick<OtherPlaces, 'newer'>;
	readonly waiting: Waiting;
	readonly rested: Pick<Rested, 'add'>;
	readonly takeTurn: TakeTurn;
};

/**
 * A turn that queues its trace for a slot while it runs. The trace stays in the queue as long as it waits for
 * one.
 */
export const createTurnInLine = (parts: Parts): TurnPorts['turn'] => {
	const {checkout, ledger, pending, places, waiting, rested, takeTurn} = parts;
	const isOver = (idle: Trace): boolean =>
		(idle.place ?? checkout) === checkout &&
		// Work that only a newer hive may do is still due.
		places.newer() === undefined &&
		!isUnfinished(idle);
	return async (traceId, looking) => {
		const before = ledger.snapshot(traceId).runs.size;
		// Queue before the decision, so that a slot that becomes free meanwhile counts for this trace too.
		waiting.add(traceId);
		const idle = await takeTurn(traceId, looking)
			.catch((error: unknown) => {
				// The turn is retried, but not because of a free slot.
				waiting.remove(traceId);
				throw error;
			})
			.finally(() => waiting.looked(traceId));
		if (idle !== undefined && isOver(idle)) rested.add(idle);
		const trace = ledger.snapshot(traceId);
		if (!isOwed(pending, traceId) && !isWaiting(trace)) waiting.remove(traceId);
		else if (trace.runs.size > before) waiting.served(traceId);
	};
};
