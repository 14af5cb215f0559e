import type {Trace} from '../../domain/trace.ts';
import {dollars} from '../../host/views/reserve.ts';
import {costToday} from '../../host/views/today.ts';
import {traceView} from '../../host/views/trace.ts';
import {untilTime} from '../parts/words.ts';
import {memoized, perObject} from './memo.ts';
import type {State} from './state.ts';

/** Today's cost: `today $0.42`. Empty while no cost is known. */
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

/** When the first paused trace resumes by itself: `paused until 14:05`. Empty if none is paused. */
export const pausedWords = ({traces, now}: State): string => {
	const until = firstEnd(traces);
	return until === undefined ? '' : `paused until ${untilTime(until, now)}`;
};

/** The used slots: `places 1 of 4`. Empty until known. */
export const placesWords = ({status: {slots}}: State): string =>
	slots === undefined ? '' : `places ${slots.taken} of ${slots.total}`;
