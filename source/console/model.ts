import {compareText} from '../domain/compare-text.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {ColonyStatus, LiveColony, LiveFacts} from '../host/live/live.ts';
import type {RunActivities} from '../host/views/activity.ts';
import {noClashes, type Overlap} from '../host/views/clashes.ts';
import {type InboxEntry, inboxOf} from '../host/views/inbox.ts';
import type {SessionView} from '../host/views/session.ts';

/** The console's view of the colony: the newest value of each feed of the live read model. */
export type Model = {
	readonly traces: () => ReadonlyMap<string, Trace>;
	/** Sequence of the newest event in `traces`. */
	readonly position: () => number;
	readonly status: () => ColonyStatus;
	/** Problems of the configuration, and changes that await a person's approval, as text. */
	readonly problems: () => readonly string[];
	readonly sessions: () => readonly SessionView[];
	/** Everything that needs a person. */
	readonly inbox: () => readonly InboxEntry[];
	/** Pairs of unfinished traces that change the same lines. */
	readonly overlaps: () => readonly Overlap[];
	/** The newest commit of the base of a trace with an open gate. Empty for others, and until it is read. */
	readonly baseOf: (traceId: string) => string;
	/** All of them, by trace. */
	readonly bases: () => ReadonlyMap<string, string>;
	/** The current steps of this checkout's live runs. */
	readonly doings: () => RunActivities;
	/** Calls `call` whenever any of it changes, until the signal aborts. */
	readonly onChange: (signal: AbortSignal, call: () => void) => void;
};

/**
 * @param before a sequence that the colony has read already, and the reactor's state until the first status
 */
export const followModel = (
	colony: Pick<LiveColony, 'follow' | 'status' | 'survey' | 'clashes' | 'sessions' | 'doing' | 'reloaded'>,
	{position, reactor}: {readonly position: number; readonly reactor: 'starting' | 'none'},
	signal: AbortSignal,
): Model => {
	const listeners = new Set<() => void>();
	let traces: ReadonlyMap<string, Trace> = new Map();
	let newestSequence = position;
	let status: ColonyStatus = {reactor, bus: {state: 'live'}, places: []};
	let survey: LiveFacts | undefined;
	let {conflicts, overlaps, bases} = noClashes;
	let sessions: readonly SessionView[] = [];
	const notifyListeners = (): void => {
		for (const call of listeners) call();
	};
	let doings: RunActivities = new Map();
	colony.follow(signal, update => {
		traces = update.traces;
		newestSequence = Math.max(newestSequence, update.events.at(-1)?.sequence ?? 0);
		notifyListeners();
	});
	colony.status(signal, now => {
		status = now;
		notifyListeners();
	});
	colony.survey(signal, now => {
		survey = now;
		notifyListeners();
	});
	colony.clashes(signal, now => {
		({conflicts, overlaps, bases} = now);
		notifyListeners();
	});
	colony.sessions(signal, now => {
		sessions = now;
		notifyListeners();
	});
	colony.doing(signal, now => {
		doings = now;
		notifyListeners();
	});
	colony.reloaded(signal, notifyListeners);
	return {
		traces: () => traces,
		position: () => newestSequence,
		status: () => status,
		problems: () => (survey?.problems ?? []).map(({path, message}) => `${path}: ${message}`),
		sessions: () => sessions,
		inbox: () => inboxOf(traces.values(), {...survey, conflicts, sessions}),
		overlaps: () => overlaps,
		baseOf: traceId => bases.get(traceId) ?? '',
		bases: () => bases,
		doings: () => doings,
		onChange: (until, call) => {
			listeners.add(call);
			until.addEventListener('abort', () => listeners.delete(call), {once: true});
		},
	};
};

/** All open runs, the longest running first. */
export const openRunsOf = (traces: Iterable<Trace>) =>
	[...traces]
		.flatMap(trace => openRuns(trace).map(run => ({trace, run})))
		.sort((one, other) => compareText(one.run.startedAt, other.run.startedAt));
