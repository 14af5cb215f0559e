import type {HandedOver} from '../../dispatch/hand-over.ts';
import {counted} from '../../domain/counted.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {placeName} from '../../domain/place.ts';
import type {Trace} from '../../domain/trace.ts';
import type {ReactorPorts} from '../ports.ts';

/**
 * Traces that were taken from this checkout while it was away, and of which runs may still be under way here.
 */
export type Departures = {
	/** If the event takes a trace from here, ends the trace's runs. */
	readonly consider: (event: StoredEvent) => void;
	readonly isBusy: () => boolean;
	readonly close: () => void;
};

type Ports = Pick<ReactorPorts, 'checkout' | 'clock' | 'others' | 'report'> & {
	readonly trace: (traceId: string) => Trace;
	/** True if an effect of the reactor is under way for a run of the trace. Its runs are ended afterwards. */
	readonly isBusy: (trace: Trace) => boolean;
	readonly handOver: (trace: Trace) => Promise<readonly HandedOver[]>;
	/** Called when nothing of the trace is under way here any more. */
	readonly done: (traceId: string) => void;
};

const busyMilliseconds = 100;
const retryMilliseconds = 5000;

export const createDepartures = (ports: Ports): Departures => {
	const {checkout, clock, others, report, handOver, done} = ports;
	const leaving = new Set<string>();
	let isClosed = false;

	const end = async (traceId: string): Promise<void> => {
		const ended = await handOver(ports.trace(traceId));
		leaving.delete(traceId);
		const words = wordsOf(ports.trace(traceId), ended);
		if (words !== undefined) report(words);
		done(traceId);
	};
	const nameOf = (place: string): string => {
		const seen = others?.().find(other => other.checkout === place);
		return seen === undefined ? `the checkout ${place}` : placeName(seen);
	};
	const wordsOf = ({traceId, place = checkout, purged}: Trace, ended: readonly HandedOver[]) => {
		// The trace is back, or was purged here.
		if (ended.length === 0 && (place === checkout || purged !== undefined)) return undefined;
		const how = purged === undefined ? `was taken by ${nameOf(place)}` : 'was purged';
		return `The trace ${traceId} ${how}${endOf(ended)}`;
	};
	const tryToEnd = (traceId: string): void => {
		const again = (milliseconds: number) =>
			clock.after(milliseconds, () => {
				if (!isClosed) tryToEnd(traceId);
			});
		if (ports.isBusy(ports.trace(traceId))) return void again(busyMilliseconds);
		end(traceId).catch((error: unknown) => {
			if (isClosed) return;
			report(`What runs here of ${traceId}, which is another checkout's, could not be ended.`, error);
			again(retryMilliseconds);
		});
	};

	return {
		consider: ({traceId, payload: {kind, from, place}}) => {
			const isTaken = kind === 'trace.taken' && from === checkout && place !== checkout;
			if (!(isTaken || kind === 'trace.purged') || leaving.has(traceId)) return;
			leaving.add(traceId);
			// The event is folded by then.
			queueMicrotask(() => tryToEnd(traceId));
		},
		isBusy: () => leaving.size > 0,
		close: () => {
			isClosed = true;
		},
	};
};

const endOf = (ended: readonly HandedOver[]): string => {
	if (ended.length === 0) return '; nothing of it was under way here.';
	const kept = ended.filter(({isKept}) => isKept).map(({agentId}) => `"hive restore ${agentId}"`);
	const left =
		kept.length === 0 ? 'nothing is kept of it' : `what that changed is kept for ${kept.join(', ')}`;
	return `: ${counted(ended.length, 'run')} ended here, ${left}.`;
};
