import type {Invite, InviteStatus} from '../../domain/invite.ts';
import type {Trace} from '../../domain/trace.ts';

/** An invite as `invite list --json` prints it; what nothing is known of is empty. */
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

/** Invites of all traces that are in that status, the longest waiting first. */
export const invitesOf = (
	traces: Iterable<Trace>,
	status: InviteStatus | 'all' = 'pending',
): readonly InviteSnapshot[] =>
	[...traces]
		.flatMap(({traceId, invites}) => [...invites.values()].map(invite => inviteSnapshot(traceId, invite)))
		.filter(invite => status === 'all' || invite.status === status)
		.sort((one, other) => (one.createdAt < other.createdAt ? -1 : Number(one.createdAt > other.createdAt)));
