import {runtimeAgent, type StoredEvent} from '../domain/event.ts';
import {
	type Invite,
	type InviteStatus,
	isDescribed,
	isEnded,
	isInviteStatus,
	isOfInvites,
	markOfInvites,
	maxInviteTaskLength,
	maxRefLength,
	mayMove,
	readDoneWhen,
	rosterOfInvites,
	scalarIn,
} from '../domain/invite.ts';
import {runEventId} from '../domain/run.ts';
import type {Draft, Mutable} from './draft.ts';
import {hasOpenSession, hasRoom, invitesUnderWay, isAcceptable, maxInvites} from './invites.ts';
import {numberOf, textOf} from './payload.ts';

/**
 * `session.invite`: creates an invite, or updates one: its status, bee and task, and those other fields that
 * the event has. Agents can only create invites.
 */
export const foldInvite = (draft: Draft, event: StoredEvent): void => {
	const {payload, agentId} = event;
	const inviteId = textOf(payload, 'inviteId');
	const status = textOf(payload, 'status');
	const known = draft.trace.invites.get(inviteId);
	if (inviteId === '' || !isInviteStatus(status)) return draft.problem(event, 'an invite names no status');
	if (draft.trace.killed) return draft.problem(event, `invite ${inviteId} came after the trace was killed`);
	if (known === undefined) return makeInvite(draft, event, inviteId, status);
	if (agentId !== undefined && draft.run(agentId) !== undefined)
		return draft.problem(event, `run ${agentId} may not change the invite ${inviteId}`);
	if (known.status !== status && !mayMove(known.status, status))
		return draft.problem(event, `invite ${inviteId} is ${known.status} and cannot be ${status}`);
	putInvite(draft, event, {...known, ...readInviteFields(event)}, status);
};

const makeInvite = (draft: Draft, event: StoredEvent, inviteId: string, status: InviteStatus): void => {
	if (status !== 'pending') return draft.problem(event, `invite ${inviteId} is new and cannot be ${status}`);
	if (!hasRoom(draft.trace)) return draft.problem(event, `invite ${inviteId} is one too many`);
	forgetOldest(draft);
	putInvite(draft, event, {
		inviteId,
		...readInviteFields(event),
		status,
		createdAt: event.at,
		updatedAt: event.at,
	});
};

const forgetOldest = ({trace}: Draft): void => {
	const all = [...trace.invites.values()];
	if (all.length < maxInvites) return;
	const oldest = all.find(isEnded);
	trace.invites = rosterOfInvites(all.filter(invite => invite !== oldest));
};

type InviteFields = Pick<Invite, 'bee' | 'task' | 'intent' | 'artifactRef' | 'doneWhen'>;

/**
 * Reads bee and task, which every event must have, and the optional fields that it has. An absent field does
 * not clear the old value.
 */
const readInviteFields = ({payload}: StoredEvent): InviteFields => {
	const words: Mutable<InviteFields> = {
		bee: textOf(payload, 'bee'),
		task: textOf(payload, 'task').slice(0, maxInviteTaskLength),
	};
	const intent = textOf(payload, 'intent');
	const artifactRef = textOf(payload, 'artifactRef').slice(0, maxRefLength);
	const doneWhen = readDoneWhen(payload.doneWhen);
	if (intent !== '') words.intent = intent;
	if (artifactRef !== '') words.artifactRef = artifactRef;
	if (doneWhen !== undefined) words.doneWhen = doneWhen;
	return words;
};

/** Drops the report: the source of a new status has already looked at it. */
const putInvite = (draft: Draft, {at}: StoredEvent, invite: Invite, status = invite.status): void => {
	const {report: _looked, ...rest} = invite;
	draft.putInvite({...rest, status, updatedAt: at});
};

/** `beekeeper.ready`: a person's answer. */
export const foldBeekeeper = (draft: Draft, event: StoredEvent): void => {
	const inviteId = textOf(event.payload, 'inviteId');
	const invite = draft.trace.invites.get(inviteId);
	const status = answers.get(textOf(event.payload, 'action'));
	if (invite === undefined || status === undefined)
		return draft.problem(event, `there is no invite ${inviteId} to answer`);
	const isRefused =
		draft.trace.killed ||
		!mayMove(invite.status, status) ||
		(status === 'accepted' && !isAcceptable(draft.trace, invite));
	if (isRefused)
		return draft.problem(event, `invite ${inviteId} is ${invite.status} and cannot be ${status}`);
	putInvite(draft, event, invite, status);
};

const answers: ReadonlyMap<string, InviteStatus> = new Map([
	['accept', 'accepted'],
	['reject', 'cancelled'],
	['defer', 'deferred'],
]);

/** `session.requested` with an invite: requests the session of an accepted invite, one at a time. */
export const foldSessionRequested = (draft: Draft, event: StoredEvent): void => {
	const inviteId = textOf(event.payload, 'inviteId');
	if (inviteId === '') return;
	const invite = draft.trace.invites.get(inviteId);
	if (invite?.status !== 'accepted' || hasOpenSession(draft.trace, invite))
		return draft.problem(event, `a session was asked for the invite ${inviteId} out of turn`);
	draft.putInvite({...invite, request: event.sequence, updatedAt: event.at});
};

/** A claim that answers the request of an invite becomes its session. */
export const foldSessionClaim = (draft: Draft, {payload, at}: StoredEvent, agentId: string): void => {
	const trigger = numberOf(payload, 'trigger');
	const invite = find(draft, ({request}) => request !== undefined && request === trigger);
	if (invite !== undefined) draft.putInvite({...invite, sessionId: agentId, updatedAt: at});
};

/** An invite that is not completed when its session ends becomes incomplete. */
export const foldSessionEnd = (draft: Draft, event: StoredEvent, agentId: string): void => {
	const invite = find(draft, ({sessionId}) => sessionId === agentId);
	if (invite?.status === 'accepted') draft.putInvite({...invite, status: 'incomplete', updatedAt: event.at});
};

/** The honey of a session that never began is refunded, and its invite is pending again. */
export const foldSessionRefund = (draft: Draft, event: StoredEvent): void => {
	if (event.agentId !== runtimeAgent) return;
	const invite = find(
		draft,
		({sessionId}) => sessionId !== undefined && event.id === runEventId(event.traceId, sessionId, 'refund'),
	);
	if (invite?.status !== 'accepted' && invite?.status !== 'incomplete') return;
	const {request: _asked, sessionId: _never, ...rest} = invite;
	putInvite(draft, event, rest, draft.trace.killed ? 'cancelled' : 'pending');
};

const find = ({trace: {invites}}: Draft, isMeant: (invite: Invite) => boolean): Invite | undefined =>
	invites.size === 0 ? undefined : [...invites.values()].find(isMeant);

const unanswered = markOfInvites(['pending', 'deferred', 'accepted']);

/** `system.kill`: cancels the invites whose sessions have not begun. An open session continues to its end. */
export const cancelInvites = (draft: Draft, event: StoredEvent): void => {
	for (const invite of [...draft.trace.invites.having(unanswered)]) {
		if (!isBegun(draft, invite)) putInvite(draft, event, invite, 'cancelled');
	}
};

const isBegun = (draft: Draft, {status, request, sessionId = ''}: Invite): boolean =>
	status === 'accepted' && request !== undefined && draft.run(sessionId)?.trigger === request;

/**
 * Notes an event on each accepted invite whose `doneWhen` matches it. The reactor then looks for the file.
 */
export const foldReports = (draft: Draft, event: StoredEvent): void => {
	const {trace} = draft;
	if (trace.invites.size === 0 || trace.killed || isOfInvites(event.payload.kind)) return;
	for (const invite of invitesUnderWay(trace)) {
		const {doneWhen} = invite;
		if (doneWhen === undefined || !isDescribed(event, doneWhen)) continue;
		const {requireFile, setArtifactRef} = doneWhen;
		const artifactRef = setArtifactRef && refIn(event, setArtifactRef.from);
		const ref = refIn(event, requireFile.from);
		const report = {sequence: event.sequence, ref, ...(artifactRef && {artifactRef})};
		draft.putInvite({...invite, report, updatedAt: event.at});
	}
};

const refIn = ({payload}: StoredEvent, field: string): string => {
	const ref = scalarIn(payload, field) ?? '';
	return ref.length <= maxRefLength ? ref : '';
};
