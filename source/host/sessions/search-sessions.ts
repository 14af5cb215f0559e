import type {ActionContext} from '../../actions/context.ts';
import {truncate} from '../../domain/truncate.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {createLogReader, linesOf} from '../../runs/read-log.ts';
import {readTranscript} from '../../sessions/read-transcript.ts';
import type {SessionMatch, SessionMatches, SessionView} from '../views/session.ts';
import {readSessions} from './sessions.ts';

export type FoundSession = SessionMatches & {readonly session: SessionView};

/** Max rows that are returned of a session, and characters of each. */
const maxMatches = 5;
const maxTextLength = 200;
/** Characters before the found text that are kept of a long row. */
const maxLead = 60;

/**
 * Searches the transcripts of this checkout's sessions, live and over, whatever the case of the letters. The
 * newest session comes first. Known secrets are removed before the search, so they cannot be found.
 */
export const searchSessions = async (
	context: ActionContext,
	text: string,
	signal?: AbortSignal,
): Promise<readonly FoundSession[]> => {
	const sought = text.trim().toLowerCase();
	const found: FoundSession[] = [];
	if (sought === '') return found;
	for (const session of (await readSessions(context, {all: true})).toReversed()) {
		if (signal?.aborted) break;
		const {count, matches} = await searchTranscript(context, session, sought);
		if (count > 0) found.push({session, count, matches});
	}
	return found;
};

const searchTranscript = async (
	{colony, files, redact = unchanged}: ActionContext,
	{traceId, sessionId}: SessionView,
	sought: string,
): Promise<SessionMatches> => {
	const path = runPath(runDirectory(colony.root, traceId, sessionId), 'transcript');
	const matches: SessionMatch[] = [];
	let count = 0;
	for await (const line of linesOf(createLogReader(files, path).added()))
		for (const {at, role, content} of readTranscript(line)) {
			// The session's own lines of hive are no words of the talk.
			if (role === 'system') continue;
			for (const row of redact(content).split('\n')) {
				const place = row.toLowerCase().indexOf(sought);
				if (place < 0) continue;
				count += 1;
				if (matches.length < maxMatches) matches.push({at, role, text: partOf(row, place)});
			}
		}
	return {count, matches};
};

const unchanged = (text: string): string => text;

/** The part of a row around the found text. */
const partOf = (row: string, place: number): string => {
	const start = place > maxLead ? place - maxLead : 0;
	return truncate(`${start > 0 ? '…' : ''}${row.slice(start)}`.trim(), maxTextLength);
};
