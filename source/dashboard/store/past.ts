import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {RunActivities} from '../../host/views/activity.ts';
import {memoized} from './memo.ts';
import type {PastState, State} from './state.ts';

/** The traces to show. One of them may be shown in an earlier state. */
export const shownTraces = ({traces, past}: Pick<State, 'traces' | 'past'>): ReadonlyMap<string, Trace> =>
	past === undefined ? traces : withPast(traces, past.trace);

const withPast = memoized(
	(traces: ReadonlyMap<string, Trace>, past: Trace): ReadonlyMap<string, Trace> =>
		new Map(traces).set(past.traceId, past),
);

/** The last event before the shown moment. */
export const pastEvent = ({history, position}: PastState): StoredEvent | undefined =>
	history.events[position];

const noActivities: RunActivities = new Map();

/** The current steps of live runs. Empty for the past, since they are not recorded. */
export const shownActivities = ({activities, past}: State): RunActivities =>
	past === undefined ? activities : noActivities;

/** The number of slots if all are taken: `places 4 of 4`. Else empty. */
export const formatFullSlots = ({status: {slots}}: State): string =>
	slots !== undefined && slots.taken >= slots.total ? `${slots.taken} of ${slots.total} agents running` : '';
