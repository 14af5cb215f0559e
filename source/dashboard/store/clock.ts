import {isQuiet} from '../../host/views/activity.ts';
import {inputGuardMs} from './form.ts';
import {lastOutputAt} from './selectors.ts';
import type {State} from './state.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/**
 * Milliseconds from `now` (milliseconds since 1970) until the display changes. That is a second while a run
 * has recent output, else the rest of the minute. It is less if a toast ends, or a dialog begins to accept
 * keys.
 */
export const msUntilTick = (state: State, now: number): number => {
	const {toast, mode} = state;
	const step = isQuiet(lastOutputAt(state), now) ? minuteMs : secondMs;
	const guardEnd = mode.kind === 'form' ? mode.form.openedAt + inputGuardMs : now;
	return Math.min(
		step - (now % step),
		...(toast?.until === undefined ? [] : [Math.max(0, toast.until - now)]),
		...(guardEnd > now ? [guardEnd - now] : []),
	);
};
