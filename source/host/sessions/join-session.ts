import type {ActionContext} from '../../actions/context.ts';
import {refuseInsideRun} from '../../actions/decide-and-append.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {type View, type ViewEvents, type Viewing, viewSession} from '../../sessions/view.ts';
import type {SessionView} from '../views/session.ts';

export type {View, ViewEnd, ViewEvents} from '../../sessions/view.ts';

/** Views a session of this checkout. Refused when no process holds it. */
export const joinSession = async (
	context: Pick<ActionContext, 'colony' | 'files' | 'openConnection' | 'insideRun'>,
	{traceId, sessionId}: Pick<SessionView, 'traceId' | 'sessionId'>,
	viewing: Omit<Viewing, 'key'>,
	events: ViewEvents,
): Promise<Outcome<View>> => {
	const {colony, files, openConnection: openLink} = context;
	// Text typed into a session counts as a person's.
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	const directory = runDirectory(colony.root, traceId, sessionId);
	const key = await files.read(runPath(directory, 'sessionKey'));
	const connection = key === undefined ? undefined : await openLink(runPath(directory, 'sessionSocket'));
	if (key === undefined || connection === undefined) return refuseEnded(sessionId);
	return accepted(viewSession(connection, {...viewing, key}, events));
};

/** Refuses to join a session whose program has ended. */
export const refuseEnded = (sessionId: string): Outcome<never> =>
	refuse('wrong_status', {
		message: `The session ${sessionId} cannot be joined: its program has ended.`,
		hint: `See what was said with "hive logs ${sessionId}".`,
	});
