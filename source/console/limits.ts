import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** A caller that takes a place. Several callers may use one credential: a token at several addresses. */
export type Taker = {readonly credential: string; readonly caller: string};

/**
 * How much is answered at once, and of it to one caller. What is entered is left by calling what it answers.
 */
export type Limits = {
	readonly enter: (taker: Taker) => Outcome<() => void>;
	/**
	 * @param end called when the stream has to give its place to a credential that has fewer; it leaves then
	 */
	readonly enterStream: (taker: Taker, end: () => void) => Outcome<() => void>;
};

type Most = {readonly requests: number; readonly streams: number};

/** Of one credential, or of one caller. */
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

/** @param most places that one caller may have */
const createRoom = (places: number, most: number) => {
	/** The oldest first. */
	const taken = new Set<Place>();
	const countOf = (credential: string): number =>
		[...taken].filter(place => place.credential === credential).length;
	/** The oldest place of the credential that has most, if it has at least two more than the newcomer. */
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
