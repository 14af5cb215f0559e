import {compareText} from '../../domain/compare-text.ts';
import type {Invite, InviteStatus} from '../../domain/invite.ts';
import type {Trace} from '../../domain/trace.ts';
import {acceptableInvites} from '../../ledger/invites.ts';

/** An invite as `invite list --json` prints it; unknown values are empty. */
const inviteSnapshot = (traceId: string, invite: Invite) => ({
	inviteId: invite.inviteId,
	traceId,
	bee: invite.bee,
	task: invite.task,
	intent: invite.intent ?? '',
	status: invite.status,
	artifactRef: invite.artifactRef ?? '',
	sessionId: invite.sessionId ?? '',
	createdAt: invite.createdAt,
	updatedAt: invite.updatedAt,
});

export type InviteSnapshot = ReturnType<typeof inviteSnapshot>;

/** Lists the invites of all traces with that status, or all, the longest waiting first. */
export const invitesOf = (traces: Iterable<Trace>, status: InviteStatus | 'all'): readonly InviteSnapshot[] =>
	listed(traces, ({invites}) => invites.values()).filter(
		invite => status === 'all' || invite.status === status,
	);

/**
 * Lists the invites of all traces that a person can still accept: pending ones first, then those deferred or
 * incomplete.
 */
export const openInvites = (traces: Iterable<Trace>): readonly InviteSnapshot[] =>
	listed(traces, acceptableInvites).toSorted(
		(one, other) => Number(other.status === 'pending') - Number(one.status === 'pending'),
	);

const listed = (
	traces: Iterable<Trace>,
	chosen: (trace: Trace) => Iterable<Invite>,
): readonly InviteSnapshot[] =>
	[...traces]
		.flatMap(trace => [...chosen(trace)].map(invite => inviteSnapshot(trace.traceId, invite)))
		.sort((one, other) => compareText(one.createdAt, other.createdAt));
