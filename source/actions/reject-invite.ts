import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type Invite, mayMove} from '../domain/invite.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseUnlessOpen} from './decide-and-append.ts';
import {findInvite, type InviteName, traceOfInvite} from './find-invite.ts';

export type InviteAnswered = {
	readonly traceId: string;
	readonly inviteId: string;
	readonly status: Invite['status'];
};

/** Rejects or defers an invite in a person's name. */
export const rejectInvite = async (
	context: ActionContext,
	{defer = false, ...name}: InviteName & {readonly defer?: boolean | undefined},
): Promise<Outcome<InviteAnswered>> => {
	const {inviteId} = name;
	const status = defer ? 'deferred' : 'cancelled';
	const found = await traceOfInvite(context, name);
	if (!found.ok) return found;
	const decided = await decideAndAppend(context, found.value, trace => {
		const closed = refuseUnlessOpen(trace);
		if (closed !== undefined) return closed;
		const invite = findInvite(trace, name);
		if (!invite.ok) return invite;
		if (!mayMove(invite.value.status, status))
			return refuse('wrong_status', {
				message: `The invite ${inviteId} is ${invite.value.status} and cannot be ${status}.`,
				hint: 'See "hive invite list --status all".',
			});
		const payload = {kind: 'beekeeper.ready', inviteId, action: defer ? 'defer' : 'reject'};
		return accepted({event: {agentId: context.by, type: 'SIGNAL', payload}, value: status});
	});
	return decided.ok ? accepted({traceId: found.value, inviteId, status}) : decided;
};
