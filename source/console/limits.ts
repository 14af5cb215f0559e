import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** The owner of a slot. Several callers may share a credential: one token used from several addresses. */
export type Taker = {readonly credential: string; readonly caller: string};

/**
 * Limits concurrent requests and streams, in total and per caller. Each method returns the function that
 * releases the slot.
 */
export type Limits = {
	readonly enter: (taker: Taker) => Outcome<() => void>;
	/** @param end called when the stream has to leave, so that a credential with fewer streams gets the slot */
	readonly enterStream: (taker: Taker, end: () => void) => Outcome<() => void>;
};

type Most = {readonly requests: number; readonly streams: number};

/** Per credential for requests, per caller for streams. */
const mostRequests = 64;
const mostStreams = 16;

export const createLimits = ({requests, streams}: Most = {requests: 256, streams: 64}): Limits => {
	const room = createRoom(requests, mostRequests);
	return {
		enter: ({credential}) => room({credential, caller: credential}),
		enterStream: createRoom(streams, mostStreams),
	};
};

type Place = Taker & {readonly end: (() => void) | undefined};

/** @param most max slots of one caller */
const createRoom = (places: number, most: number) => {
	/** Taken slots, the oldest first. */
	const taken = new Set<Place>();
	const countOf = (credential: string): number =>
		[...taken].filter(place => place.credential === credential).length;
	/** The oldest slot of the credential with the most slots, if it has at least two more than the new one. */
	const placeFor = (credential: string): Place | undefined => {
		const [first] = [...taken].toSorted((one, other) => countOf(other.credential) - countOf(one.credential));
		return first !== undefined && countOf(first.credential) > countOf(credential) + 1 ? first : undefined;
	};
	return ({credential, caller}: Taker, end?: () => void): Outcome<() => void> => {
		if ([...taken].filter(place => place.caller === caller).length >= most)
			return refuse('too_many_requests', {message: `One caller may have ${most} of these open at once.`});
		if (taken.size >= places) {
			const given = placeFor(credential);
			if (given?.end === undefined) return refuse('too_many_requests');
			taken.delete(given);
			given.end();
		}
		const place = {credential, caller, end};
		taken.add(place);
		return accepted(() => void taken.delete(place));
	};
};
