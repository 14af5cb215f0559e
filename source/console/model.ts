import {compareText} from '../domain/compare-text.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {ColonyStatus, LiveColony, Survey} from '../host/live/live.ts';
import type {SessionView} from '../host/sessions/sessions.ts';
import {noClashes, type Overlap} from '../host/views/clashes.ts';
import type {Doings} from '../host/views/doing.ts';
import {type InboxEntry, inboxOf} from '../host/views/inbox.ts';

/** The console's view of the colony: the newest value of each feed of the live read model. */
export type Model = {
	readonly traces: () => ReadonlyMap<string, Trace>;
	/** Sequence of the newest event in `traces`. */
	readonly position: () => number;
	readonly status: () => ColonyStatus;
	/** Problems of the configuration, and changes that await a person, as text. */
	readonly problems: () => readonly string[];
	readonly sessions: () => readonly SessionView[];
	/** Everything that needs a person. */
	readonly inbox: () => readonly InboxEntry[];
	/** Pairs of unfinished traces that change the same lines. */
	readonly overlaps: () => readonly Overlap[];
	/** The current steps of this checkout's live runs. */
	readonly doings: () => Doings;
	/** Calls `call` whenever any of it changes, until the signal aborts. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
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
	let newest = position;
	let status: ColonyStatus = {reactor, bus: {state: 'live'}, places: []};
	let survey: Survey | undefined;
	let {conflicts, overlaps} = noClashes;
	let sessions: readonly SessionView[] = [];
	const tell = (): void => {
		for (const call of listeners) call();
	};
	let doings: Doings = new Map();
	colony.follow(signal, update => {
		traces = update.traces;
		newest = Math.max(newest, update.events.at(-1)?.sequence ?? 0);
		tell();
	});
	colony.status(signal, now => {
		status = now;
		tell();
	});
	colony.survey(signal, now => {
		survey = now;
		tell();
	});
	colony.clashes(signal, now => {
		({conflicts, overlaps} = now);
		tell();
	});
	colony.sessions(signal, now => {
		sessions = now;
		tell();
	});
	colony.doing(signal, now => {
		doings = now;
		tell();
	});
	colony.reloaded(signal, tell);
	return {
		traces: () => traces,
		position: () => newest,
		status: () => status,
		problems: () => (survey?.problems ?? []).map(({path, message}) => `${path}: ${message}`),
		sessions: () => sessions,
		inbox: () => inboxOf(traces.values(), {...survey, conflicts}),
		overlaps: () => overlaps,
		doings: () => doings,
		moved: (until, call) => {
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
