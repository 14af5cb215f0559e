import {type Invite, isEnded, markOfInvites} from '../domain/invite.ts';
import type {Trace} from '../domain/trace.ts';

/** Maximum number of invites that a trace keeps; the oldest ended ones are dropped first. */
export const maxInvites = 200;

const pending = markOfInvites(['pending']);
const underWay = markOfInvites(['accepted', 'incomplete']);

/** Invites that wait for a person, the oldest first. */
export const pendingInvites = ({invites}: Pick<Trace, 'invites'>): Invite[] => [...invites.having(pending)];

/** Invites that an event can report as done. */
export const invitesUnderWay = ({invites}: Pick<Trace, 'invites'>): Invite[] => [...invites.having(underWay)];

/** Invites whose `doneWhen` has matched an event and whose file was not looked for yet. */
export const reportedInvites = (trace: Pick<Trace, 'invites'>): Invite[] =>
	invitesUnderWay(trace).filter(({report}) => report !== undefined);

/** True if one more invite can be kept. */
export const hasRoom = ({invites}: Pick<Trace, 'invites'>): boolean =>
	invites.size < maxInvites || [...invites.values()].some(isEnded);

/** True if its session was requested and has not ended. */
export const hasOpenSession = ({runs}: Trace, {request, sessionId}: Invite): boolean => {
	if (request === undefined) return false;
	const run = runs.get(sessionId ?? '');
	return run?.trigger !== request || run.status === 'running';
};

/**
 * Invites that a person can still accept. A killed trace has none, though some of its invites may be
 * incomplete.
 */
export const acceptableInvites = (trace: Trace): Invite[] =>
	trace.killed ? [] : [...trace.invites.values()].filter(invite => isAcceptable(trace, invite));

/** True if its session was not requested yet, or ended without the result. */
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
