import {type DraftComment, mostReviewed, type ReviewMemory} from '../../host/review-memory.ts';
import {cursorRow, diffRows, seenKey} from './review.ts';
import type {State} from './state.ts';
import type {Change} from './store.ts';

/** What this machine remembered; what was said before it was read stays. */
export const tookMemory =
	({drafts, reviewed}: ReviewMemory): Change =>
	state =>
		withReview(state, {
			drafts: [...drafts, ...state.review.drafts],
			reviewed: [...reviewed, ...state.review.reviewed],
		});

/** Begins a range at the row, or lets go of it. */
export const toggleRange: Change = state => {
	const {from, ...rest} = state.review;
	return {...state, review: from === undefined ? {...rest, from: cursorRow(state)} : rest};
};

export const endRange: Change = state => {
	const {from: _from, ...rest} = state.review;
	return {...state, review: rest};
};

/** In the place of another, where there is one. */
export const keepDraft =
	(draft: DraftComment, replaced: DraftComment | undefined): Change =>
	state =>
		endRange(
			withReview(state, {drafts: [...state.review.drafts.filter(other => other !== replaced), draft]}),
		);

export const dropDrafts =
	(isDropped: (draft: DraftComment) => boolean): Change =>
	state =>
		withReview(state, {drafts: state.review.drafts.filter(draft => !isDropped(draft))});

/** Marks the file at the row as seen, with its content as it is, or takes the mark away. */
export const toggleSeen: Change = state => {
	const row = diffRows(state)[cursorRow(state)];
	if (row === undefined || row.kind === 'comment') return state;
	const key = seenKey(row.file);
	const {reviewed} = state.review;
	const next = withReview(state, {
		reviewed: reviewed.includes(key)
			? reviewed.filter(other => other !== key)
			: [...reviewed, key].slice(-mostReviewed),
	});
	const head = diffRows(next).findIndex(other => other.kind === 'file' && other.file === row.file);
	return withReview(next, {cursor: Math.max(0, head)});
};

const withReview = (state: State, review: Partial<State['review']>): State => ({
	...state,
	review: {...state.review, ...review},
});
