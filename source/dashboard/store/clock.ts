import {liveBees} from './selectors.ts';
import type {State} from './state.ts';

const second = 1000;
const minute = 60 * second;

/** Milliseconds from that time, in UTC milliseconds, until what is shown of it is another: a second while something runs, else the rest of the minute, or of a toast. */
export const untilTick = (state: State, now: number): number => {
	if (liveBees(state) > 0) return second - (now % second);
	const restOfMinute = minute - (now % minute);
	const {until} = state.toast ?? {};
	return until === undefined ? restOfMinute : Math.min(restOfMinute, Math.max(0, until - now));
};
