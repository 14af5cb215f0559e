import type {SessionStatus} from '../../domain/session-status.ts';
import {type Trace, titleOrId} from '../../domain/trace.ts';
import {truncate} from '../../domain/truncate.ts';
import {causeKey, type InboxEntry} from './inbox-entry.ts';

/** One session as every face shows it. */
export type SessionView = {
	/** The id of its run. */
	readonly sessionId: string;
	readonly traceId: string;
	readonly bee: string;
	/** The first line of the person's words; empty before there are any. */
	readonly title: string;
	/**
	 * `waiting`: it waits for a person. `idle`: it is at rest, and asks nothing. `ended`: its program is gone,
	 * and its result is not collected yet.
	 */
	readonly state: 'starting' | SessionStatus['state'] | 'ended' | 'completed' | 'failed' | 'cancelled';
	/** Since when it waits for a person: UTC, RFC 3339. Absent if it does not. */
	readonly waitingSince?: string;
	/** The last rows on its screen, as the program shows them. Empty unless it waits. */
	readonly lastRows: readonly string[];
	/** Process id of its program; absent before it has started. */
	readonly pid?: number;
	/** UTC, RFC 3339. */
	readonly startedAt: string;
	readonly finishedAt?: string;
	/** Number of viewers now. */
	readonly attached: number;
};

/** A row of a transcript that has the text that was sought. */
export type SessionMatch = {
	/** UTC, RFC 3339. */
	readonly at: string;
	readonly role: string;
	readonly text: string;
};

export type SessionMatches = {
	/** Number of rows that have the text. */
	readonly count: number;
	/** The first of them. */
	readonly matches: readonly SessionMatch[];
};

/** True if its program runs. */
export const isLive = ({state}: Pick<SessionView, 'state'>): boolean =>
	state === 'working' || state === 'waiting' || state === 'idle';

/** The row that tells most about why it waits: the last one with a question, else the last with words. */
export const tellingRow = ({lastRows}: Pick<SessionView, 'lastRows'>): string =>
	lastRows.findLast(row => /\p{L}.*\?/u.test(row)) ?? lastRows.findLast(row => /\p{L}{2}/u.test(row)) ?? '';

/** Max characters of a row in a sentence. */
const maxRowLength = 200;

/** The title of a session, else that of its trace, else the trace's id. */
export const sessionName = ({title}: Pick<SessionView, 'title'>, trace: Trace): string =>
	title || titleOrId(trace);

/** The sessions of a trace that wait for a person. */
export const sessionEntries = (trace: Trace, sessions: readonly SessionView[]): readonly InboxEntry[] =>
	sessions.flatMap((session): InboxEntry[] => {
		const {traceId, sessionId, bee, waitingSince} = session;
		if (traceId !== trace.traceId || waitingSince === undefined) return [];
		const row = truncate(tellingRow(session), maxRowLength);
		return [
			{
				key: causeKey('session', trace, sessionId, waitingSince),
				...{kind: 'session', category: 'session'},
				...{traceId, agentId: sessionId, title: sessionName(session, trace), since: waitingSince},
				sentence: `The session with ${bee} waits for you${row === '' ? '.' : `: ${row}`}`,
				lastRows: session.lastRows,
				actions: [],
			},
		];
	});
