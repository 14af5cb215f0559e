import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Doings} from '../../host/views/doing.ts';
import {dollars} from '../../host/views/reserve.ts';
import {costSince, startOfDay} from '../../host/views/today.ts';
import {traceView} from '../../host/views/trace.ts';
import {untilTime} from '../parts/words.ts';
import {memoized, perObject} from './memo.ts';
import type {State} from './state.ts';

const costOf = memoized(
	(start: string, traces: ReadonlyMap<string, Trace>, events: readonly StoredEvent[], doings: Doings) =>
		costSince(start, traces, events, doings),
);

/** `today $0.42`; empty while nothing is known to have cost anything. */
export const costToday = ({now, traces, events, doings}: State): string => {
	const cost = costOf(startOfDay(now), traces, events, doings);
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
