import {createHash} from 'node:crypto';
import type {Clock} from '../ports/clock.ts';
import type {Place} from './places.ts';

/** For how long a trace that nobody has is left to the place that is to have it. */
export const graceMilliseconds = 3000;

/**
 * The place that is to take a trace which nobody has: the same for everybody who sees the same places, and each as often as it has
 * room. Nothing where no place has any.
 */
export const chosenPlace = (traceId: string, places: readonly Place[]): string | undefined => {
	const weighed = places
		.filter(({free, only}) => free > 0 && (only === undefined || only === traceId))
		.map(({checkout, free}) => ({checkout, weight: -free / Math.log(drawn(traceId, checkout))}));
	return weighed.toSorted((one, other) => other.weight - one.weight)[0]?.checkout;
};

/** A number between 0 and 1, always the same of the same two. */
const drawn = (traceId: string, checkout: string): number =>
	(createHash('sha256').update(`${traceId}/${checkout}`).digest().readUInt32BE() + 1) / (2 ** 32 + 1);

type Sharing = {
	readonly clock: Clock;
	/** This checkout's id. */
	readonly checkout: string;
	readonly places: () => readonly Place[];
	/** Asks for another turn of the trace. */
	readonly request: (traceId: string) => void;
	readonly signal: AbortSignal;
};

/** Says of a trace that nobody has to which other place it is left for now. */
export const createShareOut = ({
	clock,
	checkout,
	places,
	request,
	signal,
}: Sharing): ((traceId: string) => string | undefined) => {
	const left = new Map<string, {readonly since: number; readonly cancel: () => void}>();
	signal.addEventListener('abort', () => {
		for (const {cancel} of left.values()) cancel();
	});
	return traceId => {
		const chosen = chosenPlace(traceId, places());
		const known = left.get(traceId);
		if (chosen === undefined || chosen === checkout || signal.aborted) {
			known?.cancel();
			left.delete(traceId);
			return undefined;
		}
		if (known === undefined) {
			const cancel = clock.after(graceMilliseconds, () => request(traceId));
			left.set(traceId, {since: clock.elapsed(), cancel});
			return chosen;
		}
		return clock.elapsed() - known.since < graceMilliseconds ? chosen : undefined;
	};
};
