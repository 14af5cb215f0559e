import {type Invite, isEnded, markOfInvites} from '../domain/invite.ts';
import type {Trace} from '../domain/trace.ts';

/** That a trace keeps; the oldest ended ones are forgotten first. */
export const mostInvites = 200;

const pending = markOfInvites(['pending']);
const underWay = markOfInvites(['accepted', 'incomplete']);

/** Those that wait for a person, the oldest first. */
export const pendingInvites = ({invites}: Pick<Trace, 'invites'>): Invite[] => [...invites.having(pending)];

/** Those of which an event can say that they are done. */
export const invitesUnderWay = ({invites}: Pick<Trace, 'invites'>): Invite[] => [...invites.having(underWay)];

/** Of those that `doneWhen` has an event for, whose file is still to be looked for. */
export const reportedInvites = (trace: Pick<Trace, 'invites'>): Invite[] =>
	invitesUnderWay(trace).filter(({report}) => report !== undefined);

/** One more can be kept. */
export const hasRoom = ({invites}: Pick<Trace, 'invites'>): boolean =>
	invites.size < mostInvites || [...invites.values()].some(isEnded);

/** Its session was asked for and is not over. */
export const hasOpenSession = ({runs}: Trace, {request, sessionId}: Invite): boolean => {
	if (request === undefined) return false;
	const run = runs.get(sessionId ?? '');
	return run?.trigger !== request || run.status === 'running';
};

/** Those that a person can still accept. A killed trace has none, though some of it may be incomplete. */
export const acceptableInvites = (trace: Trace): Invite[] =>
	trace.killed ? [] : [...trace.invites.values()].filter(invite => isAcceptable(trace, invite));

/** Nobody has asked for its session yet, or the one that was is over without its result. */
export const isAcceptable = (trace: Trace, invite: Invite): boolean => {
	switch (invite.status) {
		case 'pending':
		case 'deferred':
			return true;
		case 'accepted':
			return invite.request === undefined;
		case 'incomplete':
			return !hasOpenSession(trace, invite);
		case 'completed':
		case 'cancelled':
			return false;
	}
};
