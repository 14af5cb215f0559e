/**
 * Traces that a place could be for, those first that have had none for longest. When something falls free
 * they are looked at in that order, as many at a time as there are places, until those are taken: a place
 * costs a look or two, however many wait.
 */
export type Waiting = {
	readonly add: (traceId: string) => void;
	/** It goes to the end: it has been served. */
	readonly served: (traceId: string) => void;
	readonly remove: (traceId: string) => void;
	readonly all: () => Iterable<string>;
	/** Something fell free: everybody is looked at again. */
	readonly freed: () => void;
	/**
	 * The next to be looked at; nothing when all were, or those that are being looked at may take every place.
	 */
	readonly next: () => string | undefined;
	/** The look at this one is over. */
	readonly looked: (traceId: string) => void;
};

/** @param places how many are free now */
export const createWaiting = (places: () => number): Waiting => {
	/** When each was added; in that order. */
	const traces = new Map<string, number>();
	const lookedAt = new Set<string>();
	let added = 0;
	/** Those that were waiting when something fell free. */
	let round: {readonly traces: Iterator<[string, number]>; readonly until: number} | undefined;
	return {
		add: traceId => {
			if (!traces.has(traceId)) traces.set(traceId, ++added);
		},
		served: traceId => {
			traces.delete(traceId);
			traces.set(traceId, ++added);
		},
		remove: traceId => {
			traces.delete(traceId);
		},
		all: () => [...traces.keys()],
		freed: () => {
			round = {traces: traces.entries(), until: added};
		},
		next: () => {
			if (round === undefined || lookedAt.size >= places()) return undefined;
			const {value, done} = round.traces.next();
			if (done === true || value[1] > round.until) {
				round = undefined;
				return undefined;
			}
			lookedAt.add(value[0]);
			return value[0];
		},
		looked: traceId => {
			lookedAt.delete(traceId);
		},
	};
};
