import type {Colony} from '../colony/colony.ts';
import {findBee} from '../colony/find-bee.ts';
import {accepted, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import type {Invite} from '../domain/invite.ts';
import type {Trace} from '../domain/trace.ts';
import {openLedger} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';

/** An invite as a person names it: by its id, and by its trace if two traces have the same id. */
export type InviteName = {
	readonly inviteId: string;
	readonly traceId?: string | undefined;
	/** Its `updatedAt` as the person was shown it; absent if they did not look. */
	readonly shownAt?: string | undefined;
};

/** Returns the id of the trace that has the invite. */
export const traceOfInvite = async (
	{bus}: {readonly bus: Bus},
	{inviteId, traceId}: InviteName,
): Promise<Outcome<string>> => {
	if (traceId !== undefined) return accepted(traceId);
	const traces = [...(await openLedger(bus)).traces().values()];
	const [found, ...others] = traces.filter(({invites}) => invites.has(inviteId));
	if (found === undefined) return inviteNotFound(inviteId);
	if (others.length === 0) return accepted(found.traceId);
	return refuse('invite_not_found', {
		message: `More than one trace has an invite "${inviteId}": ${[found, ...others].map(trace => trace.traceId).join(', ')}.`,
		hint: 'Name the trace with --trace <id>.',
	});
};

export const findInvite = (trace: Trace, {inviteId, shownAt}: InviteName): Outcome<Invite> => {
	const invite = trace.invites.get(inviteId);
	if (invite === undefined) return inviteNotFound(inviteId);
	if (shownAt === undefined || shownAt === invite.updatedAt) return accepted(invite);
	return refuse('stale_view', {
		message: `The invite ${inviteId} changed since you looked: it is ${invite.status}.`,
	});
};

const inviteNotFound = (inviteId: string) =>
	refuse('invite_not_found', {message: `There is no invite "${inviteId}".`});

/** Refuses if the bee cannot hold a conversation. */
export const requireInteractive = (colony: Colony, role: string): Refused | undefined => {
	const bee = findBee(colony, role);
	if (!bee.ok) return bee;
	return bee.value.adapter === 'script'
		? refuse('bee_not_found', {
				message: `The bee "${role}" is a script, which has no interactive session.`,
				hint: 'Name a bee with another adapter.',
			})
		: undefined;
};
