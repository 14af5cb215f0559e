import type {StoredEvent} from '../domain/event.ts';
import {badIdIn} from '../domain/event-ids.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {type Adoption, adopt} from './machines/adoption.ts';
import type {Departures} from './machines/hand-over.ts';
import {consider, type Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {Projector} from './projector.ts';

/**
 * Looks what an event asks for. Its trace is folded up to it at least.
 *
 * @param adoptions by sequence of the events that take traces, as `readAdoptions` has them
 */
export type ConsiderEvent = (
	event: StoredEvent,
	adoptions?: ReadonlyMap<number, readonly Adoption[]>,
) => void;

type Parts = Pick<ReactorPorts, 'colony' | 'report'> & {
	readonly ledger: Pick<Ledger, 'snapshot'>;
	readonly pending: Pending;
	readonly departures: Pick<Departures, 'consider'>;
	readonly projector: Pick<Projector, 'reached'>;
};

/** Nothing is done for an event with a bad id, which the ledger leaves out; it is reported once. */
export const createConsiderEvent =
	({colony, report, ledger, pending, departures, projector}: Parts): ConsiderEvent =>
	(event, adoptions) => {
		const {sequence, traceId} = event;
		const flaw = badIdIn(event);
		if (flaw === undefined)
			for (const adoption of adoptions?.get(sequence) ?? [])
				adopt(pending, adoption, ledger.snapshot(traceId), colony());
		else if (sequence > pending.considered())
			report(`Event ${sequence} of the log is left out: ${flaw}. "hive bus verify" names all such events.`);
		consider(pending, event, ledger.snapshot(traceId), colony());
		if (flaw === undefined) departures.consider(event);
		projector.reached(event);
	};
