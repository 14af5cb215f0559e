import type {StoredEvent} from '../domain/event.ts';
import {badIdMessage} from '../domain/event-ids.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Evictions} from './machines/evictions.ts';
import {type TakeOver, takeOver} from './machines/take-over.ts';
import {consider, type Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {Projector} from './projector.ts';

/**
 * Determines what an event asks for. The ledger must have folded its trace at least up to it.
 *
 * @param adoptions by sequence of the events that take traces, from `readAdoptions`
 */
export type ConsiderEvent = (
	event: StoredEvent,
	takeOvers?: ReadonlyMap<number, readonly TakeOver[]>,
) => void;

type Parts = Pick<ReactorPorts, 'colony' | 'observe' | 'report'> & {
	readonly ledger: Pick<Ledger, 'snapshot'>;
	readonly pending: Pending;
	readonly evictions: Pick<Evictions, 'consider'>;
	readonly projector: Pick<Projector, 'reached'>;
};

/** An event with a bad id has no effect, since the ledger ignores it; it is reported once. */
export const createConsiderEvent =
	({colony, observe, report, ledger, pending, evictions, projector}: Parts): ConsiderEvent =>
	(event, takeOvers) => {
		const {sequence, traceId} = event;
		const flaw = badIdMessage(event);
		if (flaw === undefined)
			for (const work of takeOvers?.get(sequence) ?? [])
				takeOver(pending, work, ledger.snapshot(traceId), colony());
		else if (sequence > pending.considered())
			report(`Event ${sequence} of the log is left out: ${flaw}. "hive bus verify" names all such events.`);
		consider(pending, event, ledger.snapshot(traceId), colony());
		if (flaw === undefined) {
			evictions.consider(event);
			observe?.(event, ledger.snapshot(traceId));
		}
		projector.reached(event);
	};
