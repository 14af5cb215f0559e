import {queueList, type ReviewRow} from './queue.ts';
import type {State} from './state.ts';

/** Reviews that are marked, in the order of the inbox; only where a person sees the marks. */
export const markedReviews = (state: State): readonly ReviewRow[] => {
	const marks = state.marks.queue;
	if (state.tab !== 'review' || state.detail || !marks?.size) return [];
	return queueList.rows(state).flatMap(row => (row.task && marks.has(queueList.id(row)) ? [row] : []));
};
