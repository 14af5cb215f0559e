import type {Trace} from '../../domain/trace.ts';
import {dollars} from '../../host/views/reserve.ts';
import {costToday} from '../../host/views/today.ts';
import {traceView} from '../../host/views/trace.ts';
import {untilTime} from '../parts/words.ts';
import {memoized, perObject} from './memo.ts';
import type {State} from './state.ts';

/** `today $0.42`; empty while nothing is known to have cost anything. */
export const todayWords = ({now, spent, doings}: State): string => {
	const cost = costToday(now, spent, doings);
	return cost > 0 ? `today ${dollars(cost)}` : '';
};

const pausedUntil = perObject((trace: Trace): string => traceView(trace).pausedUntil ?? '');

const firstEnd = memoized((traces: ReadonlyMap<string, Trace>): string | undefined =>
	[...traces.values()]
		.map(pausedUntil)
		.filter(Boolean)
		.reduce<string | undefined>(
			(first, until) => (first === undefined || until < first ? until : first),
			undefined,
		),
);

/** `paused until 14:05`, the first that goes on by itself; empty where nothing is paused. */
export const pausedWords = ({traces, now}: State): string => {
	const until = firstEnd(traces);
	return until === undefined ? '' : `paused until ${untilTime(until, now)}`;
};

/** `places 1 of 4`; empty until that is known. */
export const placesWords = ({status: {slots}}: State): string =>
	slots === undefined ? '' : `places ${slots.taken} of ${slots.total}`;
