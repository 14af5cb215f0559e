import type {LineQuestion} from '../../host/blame/line-question.ts';
import {queueKey, selectedReview} from './queue.ts';
import {cursorRow, diffRows, lastViewedWork, shownPreview, shownSince} from './review.ts';
import type {State} from './state.ts';

/** A line of the shown diff, as its origin is asked for. */
export type AskedLine = {
	readonly subject: {readonly traceId: string; readonly taskId?: string};
	readonly question: LineQuestion;
};

/** The lines in the row at the cursor: two if a removed line is beside the one that replaced it. */
export const askedLines = (state: State): readonly AskedLine[] => {
	const row = diffRows(state).at(cursorRow(state));
	const preview = shownPreview(state);
	const subject = subjectOfDiff(state);
	if (row?.kind !== 'line' || preview?.state !== 'ready' || subject === undefined) return [];
	const {fork, work} = preview.preview;
	const before = shownSince(state) && lastViewedWork(state, subject.key, work);
	const ends = {fork, work, ...(before === undefined ? {} : {before})};
	const {file, old, new: now} = row;
	const isUnchanged = old !== undefined && old === now;
	// The old side of a proposal is not known, so an unchanged line is asked for on the new one.
	const hasOld = old?.old !== undefined && !(isUnchanged && fork === '' && before === undefined);
	const hasNew = now?.new !== undefined && !(isUnchanged && hasOld);
	const {traceId, taskId} = subject;
	const asked = (side: 'old' | 'new', path: string, line: number): AskedLine => ({
		subject: {traceId, ...(taskId !== undefined && {taskId})},
		question: {path, side, line, ...ends},
	});
	return [
		...(hasOld ? [asked('old', file.from ?? file.path, old.old)] : []),
		...(hasNew ? [asked('new', file.path, now.new)] : []),
	];
};

const subjectOfDiff = (state: State) => {
	if (state.live) return {traceId: state.live.traceId, taskId: undefined, key: ''};
	const row = selectedReview(state);
	return row && {traceId: row.trace.traceId, taskId: row.task.taskId, key: queueKey(row)};
};
