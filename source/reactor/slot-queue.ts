/**
 * Traces that wait for a slot; those that have waited longest come first. When a slot becomes free they are
 * considered in that order. As many are considered at a time as there are free slots, until those are taken.
 * So a free slot costs one or two turns, however many traces wait.
 */
export type SlotQueue = {
	readonly add: (traceId: string) => void;
	/** Moves the trace to the end, since it got a slot. */
	readonly served: (traceId: string) => void;
	readonly remove: (traceId: string) => void;
	readonly all: () => Iterable<string>;
	/** Starts a new round over all waiting traces, since a slot became free. */
	readonly freed: () => void;
	/**
	 * The next trace to consider; `undefined` if all were, or if those under consideration may take every free
	 * slot.
	 */
	readonly next: () => string | undefined;
	/** Records that the trace was considered. */
	readonly considered: (traceId: string) => void;
};

/** @param freeSlots returns the number of slots that are free now */
export const createSlotQueue = (freeSlots: () => number): SlotQueue => {
	/** By trace, in order: a counter value from when it was added. */
	const traces = new Map<string, number>();
	const underConsideration = new Set<string>();
	let added = 0;
	/** Iterates over the traces that were waiting when a slot became free. */
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
			if (round === undefined || underConsideration.size >= freeSlots()) return undefined;
			const {value, done} = round.traces.next();
			if (done === true || value[1] > round.until) {
				round = undefined;
				return undefined;
			}
			underConsideration.add(value[0]);
			return value[0];
		},
		considered: traceId => {
			underConsideration.delete(traceId);
		},
	};
};
