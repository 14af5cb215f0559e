import {createHash} from 'node:crypto';
import type {Place} from '../../domain/place.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Clock} from '../../ports/clock.ts';

/** How long an unassigned trace is left to the chosen place before this one may take it. */
const graceMilliseconds = 3000;

/** A place that may take a trace. */
export type Candidate = Pick<Place, 'checkout' | 'free' | 'only'>;

/**
 * Chooses the place for an unassigned trace by weighted rendezvous hashing: all places that see the same
 * candidates choose the same one. The weight is the number of free slots. `undefined` if no place has a free
 * slot.
 */
export const chosenPlace = (traceId: string, places: readonly Candidate[]): string | undefined => {
	const weighed = places
		.filter(({free, only}) => free > 0 && (only === undefined || only === traceId))
		.map(({checkout, free}) => ({checkout, weight: -free / Math.log(drawn(traceId, checkout))}));
	return weighed.toSorted((one, other) => other.weight - one.weight)[0]?.checkout;
};

/** A number between 0 and 1, derived from both ids. */
const drawn = (traceId: string, checkout: string): number =>
	(createHash('sha256').update(`${traceId}/${checkout}`).digest().readUInt32BE() + 1) / (2 ** 32 + 1);

type Sharing = {
	readonly clock: Clock;
	/** This checkout's id. */
	readonly checkout: string;
	/** The places that are alive, including this one. */
	readonly places: () => readonly Candidate[];
	/** Requests another turn of the trace. */
	readonly request: (traceId: string) => void;
	readonly signal: AbortSignal;
};

export type ShareOut = {
	/** The other place that an unassigned trace is left to for now. */
	readonly leftTo: (trace: Pick<Trace, 'traceId' | 'place'>) => string | undefined;
	/** True if a trace is left to another place that may not take it. */
	readonly isWaiting: () => boolean;
};

export const createShareOut = ({clock, checkout, places, request, signal}: Sharing): ShareOut => {
	/** Traces that are left to another place; `isOver` is true after the grace period. */
	const left = new Map<string, {readonly cancel: () => void; isOver: boolean}>();
	signal.addEventListener('abort', () => {
		for (const {cancel} of left.values()) cancel();
	});
	const settled = (traceId: string): undefined => {
		left.get(traceId)?.cancel();
		left.delete(traceId);
	};
	const leave = (traceId: string): void => {
		const entry = {isOver: false, cancel: () => {}};
		left.set(traceId, entry);
		entry.cancel = clock.after(graceMilliseconds, () => {
			entry.isOver = true;
			request(traceId);
		});
	};
	return {
		leftTo: ({traceId, place}) => {
			const chosen = place === undefined ? chosenPlace(traceId, places()) : undefined;
			if (chosen === undefined || chosen === checkout || signal.aborted) return settled(traceId);
			if (!left.has(traceId)) leave(traceId);
			return left.get(traceId)?.isOver ? undefined : chosen;
		},
		isWaiting: () => [...left.values()].some(({isOver}) => !isOver),
	};
};
