import type {Trace} from '../../domain/trace.ts';
import {formatDollars} from '../../host/views/format-reserve.ts';
import {costToday} from '../../host/views/today.ts';
import {traceView} from '../../host/views/trace.ts';
import {formatUntil} from '../parts/format.ts';
import {memoized, perObject} from './memo.ts';
import type {State} from './state.ts';

/** Today's cost: `today $0.42`. Empty while no cost is known. */
export const formatTodayCost = ({now, spent, activities}: State): string => {
	const cost = costToday(now, spent, activities);
	return cost > 0 ? `today ${formatDollars(cost)}` : '';
};

const pausedUntil = perObject((trace: Trace): string => traceView(trace).pausedUntil ?? '');

const earliestResume = memoized((traces: ReadonlyMap<string, Trace>): string | undefined =>
	[...traces.values()]
		.map(pausedUntil)
		.filter(Boolean)
		.reduce<string | undefined>(
			(first, until) => (first === undefined || until < first ? until : first),
			undefined,
		),
);

/** When the first paused trace resumes by itself: `paused until 14:05`. Empty if none is paused. */
export const formatPaused = ({traces, now}: State): string => {
	const until = earliestResume(traces);
	return until === undefined ? '' : `paused until ${formatUntil(until, now)}`;
};

/** The used slots: `2 of 4 agents running`. Empty until known. */
export const formatSlots = ({status: {slots}}: State): string =>
	slots === undefined ? '' : `${slots.taken} of ${slots.total} agents running`;
