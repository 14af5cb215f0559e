import {isQuiet} from '../../host/views/doing.ts';
import {deafMilliseconds} from './form.ts';
import {lastWordOf} from './selectors.ts';
import type {State} from './state.ts';

const second = 1000;
const minute = 60 * second;

/**
 * Milliseconds from `now` (UTC milliseconds) until the display changes. That is a second while a run has
 * recent output, else the rest of the minute. It is less if a toast ends, or a dialog begins to accept keys.
 */
export const untilTick = (state: State, now: number): number => {
	const {toast, mode} = state;
	const step = isQuiet(lastWordOf(state), now) ? minute : second;
	const hears = mode.kind === 'form' ? mode.form.openedAt + deafMilliseconds : now;
	return Math.min(
		step - (now % step),
		...(toast?.until === undefined ? [] : [Math.max(0, toast.until - now)]),
		...(hears > now ? [hears - now] : []),
	);
};
