import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** How much is answered at once. What is entered is left by calling what it answers. */
export type Limits = {
	readonly enter: () => Outcome<() => void>;
	readonly enterStream: () => Outcome<() => void>;
};

type Most = {readonly requests: number; readonly streams: number};

export const createLimits = ({requests, streams}: Most = {requests: 64, streams: 64}): Limits => ({
	enter: createRoom(requests),
	enterStream: createRoom(streams),
});

const createRoom = (places: number): Limits['enter'] => {
	let taken = 0;
	return () => {
		if (taken >= places) return refuse('too_many_requests');
		taken += 1;
		let isLeft = false;
		return accepted(() => {
			if (!isLeft) taken -= 1;
			isLeft = true;
		});
	};
};
