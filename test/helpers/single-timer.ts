import type {Clock} from '../../source/ports/clock.ts';

/** A clock that stands still, for who sets one timer at a time; it is due when it is said to be. */
export const createSingleTimer = () => {
	let due: (() => void) | undefined;
	const clock: Clock = {
		now: () => 0,
		elapsed: () => 0,
		after: (_, call) => {
			due = call;
			return () => {
				due = undefined;
			};
		},
	};
	return {
		clock,
		isSet: () => due !== undefined,
		fire: (): void => {
			const call = due;
			due = undefined;
			call?.();
		},
	};
};
