import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** The owner of a slot. Several callers may share a credential: one token used from several addresses. */
export type RequestOwner = {readonly credential: string; readonly caller: string};

/**
 * Limits concurrent requests and streams, in total and per caller. Each method returns the function that
 * releases the slot.
 */
export type Limits = {
	readonly acquire: (owner: RequestOwner) => Outcome<() => void>;
	/** @param onEvicted called when the stream has to leave: a credential with fewer streams gets the slot */
	readonly acquireStream: (owner: RequestOwner, onEvicted: () => void) => Outcome<() => void>;
};

type Capacity = {readonly requests: number; readonly streams: number};

/** Per credential for requests, per caller for streams. */
const maxRequests = 64;
const maxStreams = 16;

export const createLimits = ({requests, streams}: Capacity = {requests: 256, streams: 64}): Limits => {
	const requestSlots = createSlots(requests, maxRequests);
	return {
		acquire: ({credential}) => requestSlots({credential, caller: credential}),
		acquireStream: createSlots(streams, maxStreams),
	};
};

type Slot = RequestOwner & {readonly end: (() => void) | undefined};

/** @param maxPerCaller max slots of one caller */
const createSlots = (capacity: number, maxPerCaller: number) => {
	/** Taken slots, the oldest first. */
	const takenSlots = new Set<Slot>();
	const countOf = (credential: string): number =>
		[...takenSlots].filter(slot => slot.credential === credential).length;
	/** The oldest slot of the credential with the most slots, if it has at least two more than the new one. */
	const slotToFree = (credential: string): Slot | undefined => {
		const [first] = [...takenSlots].toSorted(
			(one, other) => countOf(other.credential) - countOf(one.credential),
		);
		return first !== undefined && countOf(first.credential) > countOf(credential) + 1 ? first : undefined;
	};
	return ({credential, caller}: RequestOwner, onEvicted?: () => void): Outcome<() => void> => {
		if ([...takenSlots].filter(slot => slot.caller === caller).length >= maxPerCaller)
			return refuse('too_many_requests', {
				message: `One caller may have ${maxPerCaller} of these open at once.`,
			});
		if (takenSlots.size >= capacity) {
			const freed = slotToFree(credential);
			if (freed?.end === undefined) return refuse('too_many_requests');
			takenSlots.delete(freed);
			freed.end();
		}
		const slot = {credential, caller, end: onEvicted};
		takenSlots.add(slot);
		return accepted(() => void takenSlots.delete(slot));
	};
};
