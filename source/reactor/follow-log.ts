import type {StoredEvent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {ConsiderEvent} from './consider-event.ts';
import type {Evictions} from './machines/evictions.ts';
import {readTakeOvers, takingsOf} from './machines/take-over.ts';
import type {Occupancy} from './occupancy.ts';
import type {Pending} from './pending.ts';
import type {Performer} from './perform.ts';
import type {ReactorPorts} from './ports.ts';
import type {Projector} from './projector.ts';
import type {SettledTraces} from './settled-traces.ts';
import type {Turns} from './turns.ts';

type Parts = Pick<ReactorPorts, 'bus' | 'checkout' | 'colony' | 'caughtUp' | 'slotsChanged'> & {
	readonly ledger: Ledger;
	readonly pending: Pending;
	readonly occupancy: Occupancy;
	readonly projector: Pick<Projector, 'changed'>;
	readonly performer: Pick<Performer, 'folded'>;
	readonly evictions: Pick<Evictions, 'isBusy'>;
	readonly settledTraces: Pick<SettledTraces, 'unload'>;
	readonly consider: ConsiderEvent;
	/** Called with each changed trace. */
	readonly changed: ((trace: Trace) => void) | undefined;
	readonly request: (traceId: string) => void;
	/** Called when a slot or a workspace has become free. */
	readonly freed: () => void;
	readonly turns: Pick<Turns, 'notify'>;
	readonly signal: AbortSignal;
};

/**
 * Folds the events after the ledger's position and requests turns for the traces they change, until the
 * signal.
 */
export const followLog = async (parts: Parts): Promise<void> => {
	const {bus, checkout, ledger, evictions, settledTraces, signal} = parts;
	for await (const events of bus.follow({after: ledger.position(), signal})) {
		await ledger.load(events.map(({traceId}) => traceId));
		const takings = takingsOf(checkout, events);
		const takeOvers = takings.length === 0 ? undefined : await readTakeOvers(bus, takings);
		// A bee that was written before an event reacts to it.
		await parts.caughtUp?.();
		fold(parts, events);
		for (const event of events) parts.consider(event, takeOvers);
		parts.performer.folded();
		parts.turns.notify();
		// A trace that is being handed over must stay loaded, since its events are folded into it.
		if (!evictions.isBusy()) settledTraces.unload();
	}
};

const fold = (parts: Parts, events: readonly StoredEvent[]): void => {
	const {ledger, pending, occupancy, projector, colony, request, freed} = parts;
	const changed = [...ledger.apply(events)].map(([, {trace}]) => trace);
	for (const trace of changed) {
		if (occupancy.update(trace, colony())) freed();
		projector.changed(trace);
		parts.changed?.(trace);
	}
	parts.slotsChanged?.();
	for (const trace of changed) {
		if (!pending.concerns(trace)) pending.leave(trace.traceId);
		request(trace.traceId);
	}
};
