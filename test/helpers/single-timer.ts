import type {Clock} from '../../source/ports/clock.ts';

/** Creates a clock that stands still, for code with one timer at a time. The test fires the timer. */
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
