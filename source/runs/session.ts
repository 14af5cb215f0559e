import type {Files} from '../ports/files.ts';
import {runPath} from './layout.ts';

/** What `session.json` says of an interactive run (docs/rules.md §7). */
export type SessionFile = {
	/** The run's own id. */
	readonly sessionId: string;
	readonly traceId: string;
	readonly agentId: string;
	readonly bee: string;
	readonly adapter: string;
	readonly workspace: string;
	readonly colonyRoot: string;
	/** Of the agent's program; absent until it is started. */
	readonly pid?: number;
	/** How many look at it, as long as it is active. */
	readonly attached?: number;
	readonly state: 'active' | 'completed' | 'failed' | 'cancelled';
	/** UTC, RFC 3339. */
	readonly startedAt: string;
	readonly finishedAt?: string;
	/** Size of the terminal that it begins with. */
	readonly columns: number;
	readonly rows: number;
	/** The terminal of the person who asked for it shows 24-bit colours. */
	readonly trueColor: boolean;
	/** What the person said when they asked for it; absent for nothing. */
	readonly words?: string;
	/** Bytes that its recording may take; 0: none is made. */
	readonly recording: number;
	/**
	 * Which log-out of the person may end it: that of the login session it is in, or the last one. Absent for
	 * none that is known.
	 */
	readonly endsAtLogOut?: 'own' | 'last';
};

/** Says which log-out may end it, and what to do; empty for none. */
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

/** Nothing where no session was begun, or the file is damaged. */
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

/** Says how a session ended; nothing where there was none. */
export const endSession = async (
	files: Files,
	directory: string,
	end: Required<Pick<SessionFile, 'state' | 'finishedAt'>>,
): Promise<void> => {
	const session = await readSession(files, directory);
	if (session !== undefined) await writeSession(files, directory, {...session, ...end});
};
