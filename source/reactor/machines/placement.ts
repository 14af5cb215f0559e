import {createHash} from 'node:crypto';
import type {MachineStatus} from '../../domain/machine-status.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Clock} from '../../ports/clock.ts';

/** How long an unassigned trace is left to the chosen place before this one may take it. */
const graceMs = 3000;

/** A place that may take a trace. */
export type Candidate = Pick<MachineStatus, 'checkout' | 'free' | 'only'>;

/**
 * Chooses the place for an unassigned trace by weighted rendezvous hashing: all places that see the same
 * candidates choose the same one. The weight is the number of free slots. `undefined` if no place has a free
 * slot.
 */
export const chooseCheckout = (traceId: string, candidates: readonly Candidate[]): string | undefined => {
	const weighed = candidates
		.filter(({free, only}) => free > 0 && (only === undefined || only === traceId))
		.map(({checkout, free}) => ({checkout, weight: -free / Math.log(hashFraction(traceId, checkout))}));
	return weighed.toSorted((one, other) => other.weight - one.weight)[0]?.checkout;
};

/** A number between 0 and 1, derived from both ids. */
const hashFraction = (traceId: string, checkout: string): number =>
	(createHash('sha256').update(`${traceId}/${checkout}`).digest().readUInt32BE() + 1) / (2 ** 32 + 1);

type PlacementPorts = {
	readonly clock: Clock;
	/** This checkout's id. */
	readonly checkout: string;
	/** The places that are alive, including this one. */
	readonly candidates: () => readonly Candidate[];
	/** Requests another turn of the trace. */
	readonly request: (traceId: string) => void;
	readonly signal: AbortSignal;
};

export type Placement = {
	/** The other place that an unassigned trace is left to for now. */
	readonly assignedTo: (trace: Pick<Trace, 'traceId' | 'place'>) => string | undefined;
	/** True if a trace is left to another place that may not take it. */
	readonly isWaiting: () => boolean;
};

export const createPlacement = ({
	clock,
	checkout,
	candidates: places,
	request,
	signal,
}: PlacementPorts): Placement => {
	/** Traces that are left to another place; `isOver` is true after the grace period. */
	const assignments = new Map<string, {readonly cancel: () => void; isOver: boolean}>();
	signal.addEventListener('abort', () => {
		for (const {cancel} of assignments.values()) cancel();
	});
	const cancelAssignment = (traceId: string): undefined => {
		assignments.get(traceId)?.cancel();
		assignments.delete(traceId);
	};
	const assign = (traceId: string): void => {
		const entry = {isOver: false, cancel: () => {}};
		assignments.set(traceId, entry);
		entry.cancel = clock.after(graceMs, () => {
			entry.isOver = true;
			request(traceId);
		});
	};
	return {
		assignedTo: ({traceId, place}) => {
			const chosen = place === undefined ? chooseCheckout(traceId, places()) : undefined;
			if (chosen === undefined || chosen === checkout || signal.aborted) return cancelAssignment(traceId);
			if (!assignments.has(traceId)) assign(traceId);
			return assignments.get(traceId)?.isOver ? undefined : chosen;
		},
		isWaiting: () => [...assignments.values()].some(({isOver}) => !isOver),
	};
};
