import {queueList, type ReviewRow} from './queue.ts';
import type {State} from './state.ts';

/** The marked reviews in the order of the inbox. Empty where the marks are not visible. */
export const markedReviews = (state: State): readonly ReviewRow[] => {
	const marks = state.marks.queue;
	if (state.tab !== 'review' || state.detail || state.live || !marks?.size) return [];
	return queueList.rows(state).flatMap(row => (row.task && marks.has(queueList.id(row)) ? [row] : []));
};
