import type {Ledger} from '../ledger/ledger.ts';
import type {ConsiderEvent} from './consider-event.ts';
import {isOfInterest} from './interest.ts';
import {readTakeOvers, takingsOf} from './machines/take-over.ts';
import type {Occupancy} from './occupancy.ts';
import type {Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {Projector} from './projector.ts';
import type {Requests} from './requests.ts';
import type {Turns} from './turns.ts';

type Parts = Pick<ReactorPorts, 'bus' | 'checkout' | 'colony'> & {
	readonly ledger: Ledger;
	readonly pending: Pending;
	readonly occupancy: Occupancy;
	readonly projector: Projector;
	readonly consider: ConsiderEvent;
	readonly requests: Requests;
	readonly turns: Pick<Turns, 'notify'>;
};

/**
 * Surveys the log when a reactor starts. Considers the events that no reactor of this checkout has
 * considered. Requests a turn of each trace that may have something due.
 */
export const reconcileLog = async (parts: Parts): Promise<void> => {
	const {ledger, pending, occupancy, projector, colony, requests, turns} = parts;
	for (const trace of ledger.traces().values()) {
		occupancy.update(trace, colony());
		if (isOfInterest(trace)) projector.changed(trace);
	}
	await considerMissed(parts);
	await ledger.load(pending.traces());
	for (const traceId of pending.traces())
		if (!pending.concerns(ledger.snapshot(traceId))) pending.leave(traceId);
	requests.open();
	for (const trace of ledger.traces().values()) if (isOfInterest(trace)) requests.request(trace.traceId);
	for (const traceId of pending.traces()) requests.request(traceId);
	turns.notify();
};

/** Considers events that are folded and that no reactor of this checkout has considered. */
const considerMissed = async ({
	bus,
	checkout,
	ledger,
	pending,
	projector,
	consider,
}: Parts): Promise<void> => {
	for await (const events of bus.read({after: pending.considered()})) {
		const folded = events.filter(({sequence}) => sequence <= ledger.position());
		await ledger.load(folded.map(({traceId}) => traceId));
		const takeOvers = await readTakeOvers(bus, takingsOf(checkout, folded));
		for (const event of folded) {
			const trace = ledger.traces().get(event.traceId);
			if (trace !== undefined) projector.changed(trace);
			consider(event, takeOvers);
		}
	}
};
