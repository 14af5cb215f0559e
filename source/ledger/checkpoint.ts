import {type Invite, rosterOfInvites} from '../domain/invite.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {type Notes, rosterOfNotes, rosterOfRuns, rosterOfTasks, type Trace} from '../domain/trace.ts';

/**
 * Rises when the same events fold to another result. A checkpoint of another version is ignored. `npm run
 * record-history` keeps logs of each version, and a test folds them.
 */
export const foldVersion = 17;

type Stored = Omit<Trace, 'tasks' | 'runs' | 'notes' | 'invites'> & {
	version: number;
	tasks: readonly Task[];
	runs: readonly RunRecord[];
	notes?: readonly Notes[];
	invites?: readonly Invite[];
};

/** Encodes a snapshot for a bucket: JSON, with tasks in plan order. */
export const encodeTrace = ({sequence, notes, invites, ...trace}: Trace): string =>
	JSON.stringify({
		version: foldVersion,
		sequence,
		...trace,
		tasks: [...trace.tasks.values()],
		runs: [...trace.runs.values()],
		...(notes.size === 0 ? {} : {notes: [...notes.values()]}),
		...(invites.size === 0 ? {} : {invites: [...invites.values()]}),
	});

/**
 * Reads the sequence from the beginning of an encoded snapshot. Returns 0 if the beginning is torn or of
 * another version.
 */
export const sequenceIn = (text: string): number =>
	text.startsWith(head) ? Number.parseInt(text.slice(head.length), 10) || 0 : 0;

/** True if a newer hive wrote the snapshot; it must not be replaced by this version's. */
export const isOfNewerFold = (text: string): boolean =>
	Number(/^\{"version":(\d+),/.exec(text)?.[1] ?? 0) > foldVersion;

const head = `{"version":${foldVersion},"sequence":`;

/**
 * Returns the snapshot, or `undefined` if the text is torn or of another version. The log is then folded from
 * its start.
 */
export const decodeTrace = (text: string): Trace | undefined => {
	const stored = parse(text);
	if (stored === undefined) return undefined;
	const {version: _version, tasks, runs, notes = [], invites = [], ...trace} = stored;
	return {
		...trace,
		tasks: rosterOfTasks(tasks),
		runs: rosterOfRuns(runs),
		notes: rosterOfNotes(notes),
		invites: rosterOfInvites(invites),
	};
};

const parse = (text: string): Stored | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return isStored(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

const isStored = (value: unknown): value is Stored =>
	typeof value === 'object' &&
	value !== null &&
	'version' in value &&
	value.version === foldVersion &&
	'sequence' in value &&
	typeof value.sequence === 'number' &&
	'traceId' in value &&
	typeof value.traceId === 'string' &&
	'tasks' in value &&
	isListOf(value.tasks, 'taskId') &&
	'runs' in value &&
	isListOf(value.runs, 'agentId') &&
	(!('notes' in value) || isListOf(value.notes, 'taskId')) &&
	(!('invites' in value) || isListOf(value.invites, 'inviteId'));

/** Rejects a damaged list here, since it would otherwise cause errors much later, in any reader. */
const isListOf = (value: unknown, id: string): boolean =>
	Array.isArray(value) &&
	value.every(item => typeof item === 'object' && item !== null && typeof item[id] === 'string');
