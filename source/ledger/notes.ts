import type {StoredEvent} from '../domain/event.ts';
import type {Note, Trace} from '../domain/trace.ts';
import type {Draft} from './draft.ts';
import {textOf} from './payload.ts';

/**
 * Maximum number of notes in a prompt. The same number is kept for each task and for the trace as a whole,
 * separately for feedback from people and for other notes.
 */
const maxNotes = 5;
/** Maximum number of characters of a note; the log has the full text. */
const maxNoteLength = 500;

/**
 * `run.summary`, `review.note`, `context.note`, `human.feedback`: information for later prompts
 * (docs/rules.md §9).
 */
export const foldNote = (draft: Draft, event: StoredEvent): void => {
	putNote(draft, textOf(event.payload, 'taskId'), noteOf(event));
};

/**
 * Keeps a note on a task, or on the trace under an empty id. The oldest note of the same kind (from people or
 * not) is dropped if there are too many.
 */
export const putNote = (draft: Draft, taskId: string, added: Note): void => {
	const note = {...added, text: shorten(added.text)};
	const earlier = notesOn(draft.trace, taskId).filter(other => !isSame(other, note));
	const [oldest, ...later] = earlier.filter(other => isFeedback(other) === isFeedback(note));
	const dropped = later.length + 1 < maxNotes ? undefined : oldest;
	draft.putNotes({taskId, notes: [...earlier.filter(other => other !== dropped), note]});
};

/**
 * The notes on the task and on the trace as a whole. Feedback from people comes first, then the others, each
 * newest first.
 */
export const newestNotes = (trace: Trace, taskId: string): Note[] => {
	const onTask = taskId === '' ? [] : notesOn(trace, taskId);
	const all = [...notesOn(trace, ''), ...onTask].sort((one, other) => other.sequence - one.sequence);
	const ordered = [...all.filter(isFeedback), ...all.filter(note => !isFeedback(note))];
	return ordered
		.filter((note, index) => ordered.findIndex(other => isSame(other, note)) === index)
		.slice(0, maxNotes);
};

const notesOn = ({notes}: Pick<Trace, 'notes'>, taskId: string): readonly Note[] =>
	notes.get(taskId)?.notes ?? [];

const noteOf = ({payload, sequence, agentId}: StoredEvent): Note => {
	const {kind} = payload;
	const words = textOf(payload, isFeedback({kind}) ? 'message' : 'summary').trim();
	const by = kind === 'run.summary' ? textOf(payload, 'bee') || (agentId ?? '') : '';
	return {
		sequence,
		kind,
		text: words,
		...(by === '' ? {} : {by}),
		...(kind === 'review.note' && typeof payload.severity === 'string' ? {severity: payload.severity} : {}),
	};
};

const shorten = (text: string): string =>
	text.length > maxNoteLength ? `${text.slice(0, maxNoteLength)}…` : text;

/** True if a person wrote it. */
const isFeedback = ({kind}: Pick<Note, 'kind'>): boolean =>
	kind === 'human.feedback' || kind === 'human.answer';

const isSame = (one: Note, other: Note): boolean =>
	one.kind === other.kind &&
	one.text === other.text &&
	one.by === other.by &&
	one.severity === other.severity;
