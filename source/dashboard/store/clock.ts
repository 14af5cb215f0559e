import {isQuiet} from '../../host/views/doing.ts';
import {deafMilliseconds} from './form.ts';
import {lastWordOf} from './selectors.ts';
import type {State} from './state.ts';

const second = 1000;
const minute = 60 * second;

/**
 * Milliseconds from that time, in UTC milliseconds, until what is shown of it is another: a second while a
 * run says something now and then, else the rest of the minute, or of a toast, or until a dialog hears keys.
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
