import {type Trace, titleOrId} from '../../domain/trace.ts';
import {truncate} from '../../domain/truncate.ts';
import {causeKey, type InboxEntry} from './inbox-entry.ts';
import {type SessionView, tellingRow} from './session.ts';

/** Max characters of a row in a sentence. */
const maxRowLength = 200;

/** The title of a session, else that of its trace, else the trace's id. */
const sessionName = ({title}: Pick<SessionView, 'title'>, trace: Trace): string => title || titleOrId(trace);

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
