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

/** What completes an invite: an event of its trace that names a file which is there (docs/rules.md §4). */
export type DoneWhen = {
	readonly when: {readonly type: EventType; readonly kind: string};
	/** Fields of the payload that must have these values. */
	readonly match?: Readonly<Record<string, string>>;
	/** The field of the payload that names the file. */
	readonly requireFile: {readonly from: string};
	/** The field that the invite's `artifactRef` is taken from. */
	readonly setArtifactRef?: {readonly from: string};
};

/** An event that `doneWhen` describes; whether its file is there is still to be said. */
type InviteReport = {
	readonly sequence: number;
	/** Empty when the event names none. */
	readonly ref: string;
	readonly artifactRef?: string;
};

/** A person is asked to talk with a bee about a task. */
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
	/** The run that answers that request, or answered the one before it. */
	readonly sessionId?: string;
	readonly report?: InviteReport;
	readonly createdAt: string;
	readonly updatedAt: string;
};

/** What an invite is about, in one line. */
export const firstLineOf = ({task}: Pick<Invite, 'task'>): string => task.trim().split('\n', 1)[0] ?? '';

/** Characters of an invite's task; what is longer is cut where the invite is made. */
export const longestInviteTask = 8000;
/** Characters of a reference to a file. */
export const longestRef = 1024;
/** Fields that `match` compares, and characters of a name and a value. */
export const mostMatches = 16;
export const longestFieldName = 64;
export const longestMatch = 500;

const moves: Readonly<Record<InviteStatus, readonly InviteStatus[]>> = {
	pending: ['accepted', 'cancelled', 'deferred'],
	deferred: ['accepted', 'cancelled', 'pending'],
	accepted: ['completed', 'incomplete'],
	incomplete: ['accepted', 'completed', 'cancelled'],
	completed: [],
	cancelled: [],
};

export const mayMove = (from: InviteStatus, to: InviteStatus): boolean => moves[from].includes(to);

/** Nothing moves it any more. */
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

/** Kinds of the invites themselves: they complete none and ask for none. */
const ownKinds: ReadonlySet<string> = new Set(['session.invite', 'beekeeper.ready', 'session.requested']);

export const isOfInvites = (kind: string): boolean => ownKinds.has(kind);

/** A value of a payload as rules compare it; nothing for what is no text, number, true or false. */
export const scalarIn = (payload: Payload, field: string): string | undefined => {
	const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value)
		: undefined;
};

/** The event is of this type and kind, and has every one of these values. */
export const isDescribed = (
	{type, payload}: {readonly type: EventType; readonly payload: Payload},
	{when, match = {}}: Pick<DoneWhen, 'when' | 'match'>,
): boolean =>
	type === when.type &&
	payload.kind === when.kind &&
	Object.entries(match).every(([field, value]) => scalarIn(payload, field) === value);

/** As an event has it; nothing when it is not whole. */
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
