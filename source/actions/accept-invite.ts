import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Invite} from '../domain/invite.ts';
import type {Trace} from '../domain/trace.ts';
import {hasOpenSession, isAcceptable} from '../ledger/invites.ts';
import {refuseSpent} from './budget.ts';
import type {ActionContext} from './context.ts';
import {
	type AppendDecision,
	decideAndAppend,
	refuseElsewhere,
	refuseUnlessOpen,
} from './decide-and-append.ts';
import {findInvite, type InviteName, requireInteractive, traceOfInvite} from './find-invite.ts';

/** The terminal for the session. Absent fields are unknown. */
export type SessionSize = {
	readonly columns?: number | undefined;
	readonly rows?: number | undefined;
	readonly trueColor?: boolean | undefined;
};

export type InviteAccepted = {
	readonly traceId: string;
	readonly inviteId: string;
	readonly bee: string;
	/** Sequence of the request for its session. The run that answers it has this trigger. */
	readonly sequence: number;
};

/**
 * Accepts an invite. The session is requested in the same append, so of any number of concurrent accepts, one
 * succeeds (docs/rules.md §4). The session's claim takes a unit of honey; if there is none, the invite stays
 * as it is.
 */
export const acceptInvite = async (
	context: ActionContext,
	input: InviteName & SessionSize,
): Promise<Outcome<InviteAccepted>> => {
	const {colony, checkout} = context;
	const {inviteId} = input;
	const found = await traceOfInvite(context, input);
	if (!found.ok) return found;
	const decided = await decideAndAppend(context, found.value, trace => {
		const closed = refuseElsewhere(trace, checkout) ?? refuseUnlessOpen(trace);
		if (closed !== undefined) return closed;
		const invite = findInvite(trace, input);
		if (!invite.ok) return invite;
		const refused =
			refuseTaken(trace, invite.value) ??
			requireInteractive(colony, invite.value.bee) ??
			refuseSpent(trace, colony.defaults.budget);
		return refused ?? accepted({...acceptance(context, invite.value, input), value: invite.value.bee});
	});
	if (!decided.ok) return decided;
	const {value: bee, sequence} = decided.value;
	return accepted({traceId: found.value, inviteId, bee, sequence});
};

const refuseTaken = (trace: Trace, invite: Invite) => {
	if (isAcceptable(trace, invite)) return undefined;
	const {inviteId, status, sessionId} = invite;
	const isOpen = hasOpenSession(trace, invite);
	return refuse('wrong_status', {
		message: isOpen
			? `The invite ${inviteId} is already accepted; its session: ${sessionId ?? 'about to start'}.`
			: `The invite ${inviteId} is ${status}; this needs one that is pending, deferred or incomplete.`,
		hint: 'See "hive invite list --status all".',
	});
};

/**
 * Returns the events that are still missing. An invite that was accepted without its session request lacks
 * only that request.
 */
const acceptance = (
	{by, colony}: ActionContext,
	{inviteId, bee, task, intent, status}: Invite,
	{columns, rows, trueColor}: SessionSize,
): Omit<AppendDecision<unknown>, 'value'> => {
	const size = Object.entries({columns, rows, trueColor}).filter(([, value]) => value !== undefined);
	const request = {
		...{kind: 'session.requested', bee, body: task, inviteId},
		...(intent && {intent}),
		...Object.fromEntries(size),
	};
	const answer = {kind: 'beekeeper.ready', inviteId, action: 'accept'};
	return {
		...(status !== 'accepted' && {event: {agentId: by, type: 'SIGNAL', payload: answer}}),
		next: [{agentId: by, type: 'SIGNAL', payload: request, ...colony.defaults.budget}],
	};
};
