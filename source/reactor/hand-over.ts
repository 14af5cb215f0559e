import type {HandedOver} from '../dispatch/hand-over.ts';
import {counted} from '../domain/counted.ts';
import type {StoredEvent} from '../domain/event.ts';
import {placeName} from '../domain/place.ts';
import type {ReactorPorts} from './ports.ts';

/** Traces that were taken from this checkout while it was away, and of which something may still be under way here. */
export type Departures = {
	/** Looks whether the event takes a trace from here, whose runs then end. */
	readonly consider: (event: StoredEvent) => void;
	readonly isBusy: () => boolean;
	readonly close: () => void;
};

type Ports = Pick<ReactorPorts, 'checkout' | 'clock' | 'others' | 'report'> & {
	readonly handOver: (traceId: string) => Promise<readonly HandedOver[]>;
	/** Nothing of the trace is under way here any more. */
	readonly done: (traceId: string) => void;
};

const retryMilliseconds = 1000;

export const createDepartures = ({checkout, clock, others, report, handOver, done}: Ports): Departures => {
	const leaving = new Set<string>();
	let isClosed = false;

	const end = async (traceId: string, place: string): Promise<void> => {
		const ended = await handOver(traceId);
		leaving.delete(traceId);
		report(wordsOf(traceId, nameOf(place), ended));
		done(traceId);
	};
	const nameOf = (place: string): string => {
		const seen = others?.().find(other => other.checkout === place);
		return seen === undefined ? `the checkout ${place}` : placeName(seen);
	};
	const tryToEnd = (traceId: string, place: string): void =>
		void end(traceId, place).catch((error: unknown) => {
			if (isClosed) return;
			report(`What runs here of ${traceId}, which was taken, could not be ended; it is tried again.`, error);
			clock.after(retryMilliseconds, () => {
				if (!isClosed) tryToEnd(traceId, place);
			});
		});

	return {
		consider: ({traceId, payload: {kind, from, place}}) => {
			if (kind !== 'trace.taken' || from !== checkout || typeof place !== 'string') return;
			if (place === checkout || leaving.has(traceId)) return;
			leaving.add(traceId);
			tryToEnd(traceId, place);
		},
		isBusy: () => leaving.size > 0,
		close: () => {
			isClosed = true;
		},
	};
};

const wordsOf = (traceId: string, place: string, ended: readonly HandedOver[]): string => {
	const taken = `The trace ${traceId} was taken by ${place}`;
	if (ended.length === 0) return `${taken}; nothing of it was under way here.`;
	const kept = ended.filter(({isKept}) => isKept).map(({agentId}) => agentId);
	const restored = kept.map(agentId => `"hive restore ${agentId}"`).join(', ');
	const left = kept.length === 0 ? 'which had changed nothing' : `what that changed is kept for ${restored}`;
	return `${taken}: ${counted(ended.length, 'run')} ended here, ${left}.`;
};
