import {type EventType, eventTypes, type Payload} from './event.ts';
import {Roster} from './roster.ts';

export const inviteStatuses = [
	'pending',
	'accepted',
	'cancelled',
	'completed',
	'incomplete',
	'deferred',
] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

/**
 * The condition that completes an invite: an event of its trace that names an existing file (docs/rules.md
 * §4).
 */
export type DoneWhen = {
	readonly when: {readonly type: EventType; readonly kind: string};
	/** Fields of the payload, with the required values. */
	readonly match?: Readonly<Record<string, string>>;
	/** The field of the payload that names the file. */
	readonly requireFile: {readonly from: string};
	/** The field of the payload that becomes the invite's `artifactRef`. */
	readonly setArtifactRef?: {readonly from: string};
};

/** An event that matches `doneWhen`. Whether its file exists is not decided yet. */
type InviteReport = {
	readonly sequence: number;
	/** Reference to the file; empty if the event names none. */
	readonly ref: string;
	readonly artifactRef?: string;
};

/** A request to a person to talk with a bee about a task. */
export type Invite = {
	readonly inviteId: string;
	readonly bee: string;
	readonly task: string;
	readonly intent?: string;
	readonly artifactRef?: string;
	readonly status: InviteStatus;
	readonly doneWhen?: DoneWhen;
	/** Sequence of the newest `session.requested` that accepted it. */
	readonly request?: number;
	/** The run that answers that request or the previous one. */
	readonly sessionId?: string;
	readonly report?: InviteReport;
	readonly createdAt: string;
	readonly updatedAt: string;
};

/** The first line of an invite's task. */
export const firstLineOf = ({task}: Pick<Invite, 'task'>): string => task.trim().split('\n', 1)[0] ?? '';

/** Maximum number of characters of an invite's task; a longer one is cut when the invite is created. */
export const maxInviteTaskLength = 8000;
/** Maximum number of characters of a reference to a file. */
export const maxRefLength = 1024;
/** Maximum number of fields that `match` compares, and of characters of a name and of a value. */
export const maxMatches = 16;
export const maxFieldNameLength = 64;
export const maxMatchLength = 500;

const moves: Readonly<Record<InviteStatus, readonly InviteStatus[]>> = {
	pending: ['accepted', 'cancelled', 'deferred'],
	deferred: ['accepted', 'cancelled', 'pending'],
	accepted: ['completed', 'incomplete'],
	incomplete: ['accepted', 'completed', 'cancelled'],
	completed: [],
	cancelled: [],
};

export const mayMove = (from: InviteStatus, to: InviteStatus): boolean => moves[from].includes(to);

/** True if its status can no longer change. */
export const isEnded = ({status}: Invite): boolean => moves[status].length === 0;

export const isInviteStatus = (text: string): text is InviteStatus =>
	inviteStatuses.some(status => status === text);

const marks: Readonly<Record<InviteStatus, number>> = {
	pending: 1,
	deferred: 2,
	accepted: 4,
	incomplete: 8,
	completed: 16,
	cancelled: 32,
};

export const markOfInvites = (statuses: readonly InviteStatus[]): number =>
	statuses.reduce((sum, status) => sum | marks[status], 0);

export const rosterOfInvites = (invites: Iterable<Invite>): Roster<Invite> =>
	Roster.of(
		invites,
		({inviteId}) => inviteId,
		({status}) => marks[status],
	);

/** Kinds of events about invites themselves, which neither complete nor create other invites. */
const ownKinds: ReadonlySet<string> = new Set(['session.invite', 'beekeeper.ready', 'session.requested']);

export const isOfInvites = (kind: string): boolean => ownKinds.has(kind);

/** A payload's value as rules compare it; `undefined` unless it is text, a number or a boolean. */
export const scalarIn = (payload: Payload, field: string): string | undefined => {
	const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value)
		: undefined;
};

/** True if the event has this type and kind and all of these values. */
export const isDescribed = (
	{type, payload}: {readonly type: EventType; readonly payload: Payload},
	{when, match = {}}: Pick<DoneWhen, 'when' | 'match'>,
): boolean =>
	type === when.type &&
	payload.kind === when.kind &&
	Object.entries(match).every(([field, value]) => scalarIn(payload, field) === value);

/** Reads `doneWhen` from an event; `undefined` if it is incomplete. */
export const readDoneWhen = (raw: unknown): DoneWhen | undefined => {
	const {when, match, requireFile, setArtifactRef}: Record<string, unknown> = {...Object(raw)};
	const {type, kind}: Record<string, unknown> = {...Object(when)};
	const known = eventTypes.find(one => one === type);
	const file = fromOf(requireFile);
	const ref = fromOf(setArtifactRef);
	if (known === undefined || typeof kind !== 'string' || isOfInvites(kind) || file === undefined)
		return undefined;
	const values = Object.entries({...Object(match)}).map(([field, value]) => [field, String(value)]);
	return {
		when: {type: known, kind},
		...(values.length === 0 ? {} : {match: Object.fromEntries(values)}),
		requireFile: {from: file},
		...(ref === undefined ? {} : {setArtifactRef: {from: ref}}),
	};
};

const fromOf = (raw: unknown): string | undefined => {
	const {from}: Record<string, unknown> = {...Object(raw)};
	return typeof from === 'string' && from !== '' ? from : undefined;
};
