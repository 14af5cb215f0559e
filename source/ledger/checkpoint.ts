import {type Invite, rosterOfInvites} from '../domain/invite.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {type Notes, rosterOfNotes, rosterOfRuns, rosterOfTasks, type Trace} from '../domain/trace.ts';

/**
 * Rises when the same events fold to something else; a checkpoint of another version is ignored. `npm run
 * record-history` keeps logs of each version, and a test folds them.
 */
export const foldVersion = 10;

type Stored = Omit<Trace, 'tasks' | 'runs' | 'notes' | 'invites'> & {
	version: number;
	tasks: readonly Task[];
	runs: readonly RunRecord[];
	notes?: readonly Notes[];
	invites?: readonly Invite[];
};

/** The key-value form of a snapshot: JSON, with tasks in plan order. */
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
 * The sequence of a snapshot in that form, of which no more is read; 0 when its beginning is torn or of
 * another version.
 */
export const sequenceIn = (text: string): number =>
	text.startsWith(head) ? Number.parseInt(text.slice(head.length), 10) || 0 : 0;

/** True of a snapshot that a newer hive wrote: it is worth more than what this one folds. */
export const isOfNewerFold = (text: string): boolean =>
	Number(/^\{"version":(\d+),/.exec(text)?.[1] ?? 0) > foldVersion;

const head = `{"version":${foldVersion},"sequence":`;

/**
 * The snapshot, or nothing when the text is torn or of another version: then the log is folded from its
 * start.
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

/** What a damaged file could hold instead would be met much later, and by everybody. */
const isListOf = (value: unknown, id: string): boolean =>
	Array.isArray(value) &&
	value.every(item => typeof item === 'object' && item !== null && typeof item[id] === 'string');
