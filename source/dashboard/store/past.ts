import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Doings} from '../../host/views/doing.ts';
import {memoized} from './memo.ts';
import type {PastState, State} from './state.ts';

/** The traces as they are shown: one of them may be as it was. */
export const shownTraces = ({traces, past}: Pick<State, 'traces' | 'past'>): ReadonlyMap<string, Trace> =>
	past === undefined ? traces : withPast(traces, past.trace);

const withPast = memoized(
	(traces: ReadonlyMap<string, Trace>, past: Trace): ReadonlyMap<string, Trace> =>
		new Map(traces).set(past.traceId, past),
);

/** The last event that had been said by then. */
export const pastEvent = ({history, position}: PastState): StoredEvent | undefined =>
	history.events[position];

const noDoings: Doings = new Map();

/** What live runs are at; of the past nobody knows. */
export const shownDoings = ({doings, past}: State): Doings => (past === undefined ? doings : noDoings);

/** How many places there are when all are taken: `places 4 of 4`; else empty. */
export const takenPlaces = ({status: {slots}}: State): string =>
	slots !== undefined && slots.taken >= slots.total ? `places ${slots.taken} of ${slots.total}` : '';
