import {sanitizeProse} from '../domain/sanitize.ts';
import type {SessionStatus} from '../domain/session-status.ts';
import type {Files} from '../ports/files.ts';
import {runPath} from './layout.ts';

/** Contents of `session.json` of an interactive run (docs/rules.md §7). */
export type SessionFile = {
	/** The run's own id. */
	readonly sessionId: string;
	readonly traceId: string;
	readonly agentId: string;
	readonly bee: string;
	readonly adapter: string;
	readonly workspace: string;
	readonly colonyRoot: string;
	/** Pid of the agent's program; absent until it is started. */
	readonly pid?: number;
	/** Number of viewers, while it is active. */
	readonly attached?: number;
	/** Absent before the program has started, and from a holder of an older hive. */
	readonly status?: SessionStatus;
	readonly state: 'active' | 'completed' | 'failed' | 'cancelled';
	/** UTC, RFC 3339. */
	readonly startedAt: string;
	readonly finishedAt?: string;
	/** Initial size of the terminal. */
	readonly columns: number;
	readonly rows: number;
	/** True if the terminal of the person who started it shows 24-bit colours. */
	readonly trueColor: boolean;
	/** The person's words at its start; absent if there were none. */
	readonly words?: string;
	/** The first line of the person's words: those at its start, else the first that they typed. */
	readonly title?: string;
	/** Max bytes of its recording; 0: none is made. */
	readonly recording: number;
	/**
	 * The log-out that may end it: `own` is that of its login session; `last` is the person's last one. Absent
	 * if none is known to.
	 */
	readonly endsAtLogOut?: 'own' | 'last';
};

/** Returns a warning about the log-out that may end it, with the remedy; empty if there is none. */
export const logOutWarning = ({
	endsAtLogOut,
}: {
	readonly endsAtLogOut?: SessionFile['endsAtLogOut'] | undefined;
}): string => {
	switch (endsAtLogOut) {
		case 'own':
			return 'This session may end when you log out: the system ends what you run then (KillUserProcesses).';
		case 'last':
			return 'This session ends when you log out everywhere. To keep it, run "loginctl enable-linger".';
		default:
			return '';
	}
};

const protocolVersion = 'agent-runtime.v1';

export const sessionText = (session: SessionFile): string =>
	`${JSON.stringify({protocolVersion, ...session}, undefined, 2)}\n`;

export const writeSession = (files: Files, directory: string, session: SessionFile): Promise<void> =>
	files.write(runPath(directory, 'session'), sessionText(session));

/** Returns undefined if no session was begun, or if the file is damaged. */
export const readSession = async (files: Files, directory: string): Promise<SessionFile | undefined> => {
	const text = await files.read(runPath(directory, 'session'));
	if (text === undefined) return undefined;
	try {
		const {protocolVersion: _, ...session}: SessionFile & {protocolVersion: unknown} = JSON.parse(text);
		return typeof session.sessionId === 'string' && typeof session.columns === 'number' ? session : undefined;
	} catch {
		return undefined;
	}
};

const statusStates: readonly unknown[] = ['working', 'waiting', 'idle'];
/** Max rows of a status. */
const maxLastRows = 8;
/** Max characters of each. A longer one is left out whole: a part of it could be a part of a secret. */
const maxRowLength = 1000;

/** Makes rows of a screen safe and short enough for a status. */
export const statusRows = (rows: readonly string[]): readonly string[] =>
	rows.slice(-maxLastRows).map(row => (row.length > maxRowLength ? '(a long row)' : sanitizeProse(row)));

/**
 * Returns the status that a holder wrote. The run's own programs can write there too, so all of it is checked
 * and bounded. Undefined if it has another form.
 */
export const readStatus = (value: unknown): SessionStatus | undefined => {
	const {state, since, lastRows}: Partial<SessionStatus> = {...Object(value)};
	if (state === undefined || !statusStates.includes(state)) return undefined;
	if (typeof since !== 'string' || Number.isNaN(Date.parse(since)) || !Array.isArray(lastRows))
		return undefined;
	const rows = lastRows.filter(row => typeof row === 'string');
	return {state, since: new Date(since).toISOString(), lastRows: statusRows(rows)};
};

/** Records how a session ended. Does nothing if there was none. */
export const endSession = async (
	files: Files,
	directory: string,
	end: Required<Pick<SessionFile, 'state' | 'finishedAt'>>,
): Promise<void> => {
	const session = await readSession(files, directory);
	if (session !== undefined) await writeSession(files, directory, {...session, ...end});
};
