import type {RunRecord} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {isLive, type SessionView} from '../../host/views/session.ts';
import {memoized, perObject} from './memo.ts';
import type {State} from './state.ts';

export type SessionRow = {readonly session: SessionView; readonly run: RunRecord; readonly trace: Trace};

/** True if its program may still run, or has to be collected. */
export const isOpen = ({state}: SessionView): boolean =>
	state === 'starting' || state === 'ended' || isLive({state});

export const openSessionCount = ({sessions}: State): number => openCount(sessions);
const openCount = perObject((sessions: readonly SessionView[]): number => sessions.filter(isOpen).length);

/** Open sessions first, then the newest. A session that is not in the log yet is left out. */
export const sessionRows = memoized(
	(sessions: readonly SessionView[], traces: ReadonlyMap<string, Trace>): readonly SessionRow[] =>
		sessions
			.flatMap((session): SessionRow[] => {
				const trace = traces.get(session.traceId);
				const run = trace?.runs.get(session.sessionId);
				return trace && run ? [{session, run, trace}] : [];
			})
			.toReversed()
			.toSorted((one, other) => Number(isOpen(other.session)) - Number(isOpen(one.session))),
);
