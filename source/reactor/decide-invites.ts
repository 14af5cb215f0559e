import type {Invite} from '../domain/invite.ts';
import type {Trace} from '../domain/trace.ts';
import {hasRoom, pendingInvites, reportedInvites} from '../ledger/invites.ts';
import {cutTask} from './auto-invites.ts';
import type {Machine, PendingInvite} from './machine.ts';
import {invitation, inviteOutcome} from './runtime-events.ts';
import type {Situation} from './situation.ts';
import type {Step} from './steps.ts';

/**
 * Drops the pending invites that are not needed: the trace has it or one like it, has no room, or is killed.
 */
export const decideInviteDrops = (trace: Trace, {invites}: Machine): Step[] =>
	invites.filter(invite => isNeedless(trace, invite)).map(({inviteId}) => ({do: 'dropInvite', inviteId}));

/** The invites that events ask for, and the outcomes of invites that an event reports as done. */
export const decideInvites = ({trace, machine}: Situation): Step[] => [
	...machine.invites.flatMap(invite => {
		const task = isNeedless(trace, invite) ? undefined : taskOf(invite, machine);
		return task === undefined ? [] : [invitation(invite, task)];
	}),
	...reportedInvites(trace).flatMap(invite => {
		const isThere = machine.files.get(invite.report?.ref ?? '');
		return isThere === undefined ? [] : [inviteOutcome(invite, isThere)];
	}),
];

const isNeedless = (trace: Trace, invite: PendingInvite): boolean =>
	trace.killed ||
	trace.invites.has(invite.inviteId) ||
	!hasRoom(trace) ||
	(invite.dedupe.length > 0 && pendingInvites(trace).some(other => isAlike(invite, other)));

const isAlike = (invite: PendingInvite, other: Invite): boolean =>
	invite.dedupe.every(field => (invite[field] ?? '') === (other[field] ?? ''));

/** Returns `undefined` until the text to recall was looked up. */
const taskOf = ({inviteId, recall, task}: PendingInvite, {recalled}: Machine): string | undefined => {
	if (recall === undefined) return task;
	const words = recalled.get(inviteId);
	return words === '' ? task : words && cutTask(recall.prefix + words);
};
