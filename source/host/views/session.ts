import type {SessionStatus} from '../../domain/session-status.ts';

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
