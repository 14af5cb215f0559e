import type {Note, Trace} from '../domain/trace.ts';
import {newestNotes} from '../ledger/notes.ts';

const labels: Readonly<Record<string, (note: Note) => string>> = {
	'run.summary': ({by}) => `Summary (${by ?? 'unknown'})`,
	'review.note': ({severity}) => `Review note${severity === undefined ? '' : ` (${severity})`}`,
	'context.note': () => 'Context',
	'human.feedback': () => 'Beekeeper feedback',
	'human.answer': () => 'Answered by a person',
};

/**
 * Notes of earlier runs and of people for the prompt of a run, one line each, in the order of `newestNotes`.
 */
export const insightsFor = (trace: Trace, taskId: string): string[] =>
	newestNotes(trace, taskId).map(note => `${labels[note.kind]?.(note) ?? note.kind}: ${note.text}`);
