import {sides} from '../../domain/review-comment.ts';
import type {Colours} from '../../highlight/protocol.ts';
import {
	type DraftComment,
	maxReviewed,
	maxViewed,
	type ReviewMemory,
	reviewMark,
} from '../../host/review/review-memory.ts';
import type {PatchFile, PatchLine} from '../../review/patch.ts';
import {cursorRow, diffRows} from './review.ts';
import {reviewOf} from './review-state.ts';
import {atTop, type PreviewState, type State} from './state.ts';
import type {Change} from './store.ts';

/** Sets the preview. A preview of another change starts at the first row. */
export const previewReceived =
	(preview: PreviewState): Change =>
	state => {
		if (preview.state !== 'loading' && state.preview?.key !== preview.key) return state;
		if (state.preview?.key === preview.key) return {...state, preview};
		const review = reviewOf(state.review);
		// The live view has the diff now, and returns this position when it closes.
		if (state.live) return {...state, preview, live: {...state.live, kept: {scroll: atTop, review}}};
		return {...state, preview, scroll: {...state.scroll, diff: atTop}, review};
	};

/** Removes the preview, since no task to approve is selected. */
export const dropPreview: Change = ({preview: _preview, ...rest}) => rest;

/** Adds the saved memory. Marks and drafts that were made before it was loaded stay. */
export const memoryReceived =
	({drafts, reviewed, looked}: ReviewMemory): Change =>
	state =>
		withReview(state, {
			drafts: [...drafts, ...state.review.drafts],
			reviewed: [...reviewed, ...state.review.reviewed],
			looked: [...looked, ...state.review.looked],
		});

/** Records that the person has seen the current work of a task. */
export const markViewed =
	(task: string, tree: string): Change =>
	state => {
		const {looked} = state.review;
		const last = looked.find(other => other.task === task);
		if (last?.tree === tree) return state;
		const others = looked.filter(other => other.task !== task).slice(-maxViewed + 1);
		return withReview(state, {looked: [...others, {task, tree, ...(last && {before: last.tree})}]});
	};

/**
 * Switches between the whole change and the changes since the person last looked. Starts at the first row.
 */
export const toggleWholeChange: Change = state => {
	const {review, scroll} = endRange(state);
	const shown = {...state, scroll: {...scroll, diff: {...scroll.diff, top: 0, left: 0}}};
	return withReview({...shown, review}, {isWhole: !review.isWhole, cursor: 0});
};

/** Starts a range at the row, or ends it. */
export const toggleRange: Change = state => {
	const {from, ...rest} = state.review;
	return {...state, review: from === undefined ? {...rest, from: cursorRow(state)} : rest};
};

export const endRange: Change = state => {
	const {from: _from, ...rest} = state.review;
	return {...state, review: rest};
};

/** Adds a draft, or replaces an existing one. */
export const saveDraftComment =
	(draft: DraftComment, replaced: DraftComment | undefined): Change =>
	state =>
		endRange(
			withReview(state, {drafts: [...state.review.drafts.filter(other => other !== replaced), draft]}),
		);

export const dropDrafts =
	(isDropped: (draft: DraftComment) => boolean): Change =>
	state =>
		withReview(state, {drafts: state.review.drafts.filter(draft => !isDropped(draft))});

/** Marks the file of the row as reviewed with its current content, or unmarks it. */
export const toggleReviewed: Change = state => {
	const row = diffRows(state).at(cursorRow(state));
	if (row === undefined || row.kind === 'comment' || row.file.leftOut === 'all') return state;
	const key = reviewMark(row.file);
	const {reviewed} = state.review;
	const next = withReview(state, {
		reviewed: reviewed.includes(key)
			? reviewed.filter(other => other !== key)
			: [...reviewed, key].slice(-maxReviewed),
	});
	const {files, heads} = diffRows(next);
	return withReview(next, {cursor: heads[files.indexOf(row.file)] ?? 0});
};

export const linesReceived =
	(blob: string, lines: readonly string[] | undefined): Change =>
	state =>
		withReview(state, {contents: new Map([...state.review.contents, [blob, lines]])});

export const fileLoaded =
	(file: PatchFile, withLines: PatchFile): Change =>
	state =>
		withReview(state, {opened: new Map([...state.review.opened, [file, withLines]])});

/** Max files whose highlighting is kept. */
const maxHighlightedFiles = 30;

export const coloursReceived =
	(file: PatchFile, colours: Colours | undefined): Change =>
	state => {
		const others = [...state.review.colours].filter(([other]) => other !== file);
		const kept = others.slice(-maxHighlightedFiles + 1);
		return withReview(state, {colours: new Map([...kept, [file, coloursByLine(file, colours)]])});
	};

/** Lines that are in both versions use the highlighting of the new one. */
const coloursByLine = (file: PatchFile, colours: Colours | undefined): ReadonlyMap<PatchLine, string> => {
	const lines = new Map<PatchLine, string>();
	for (const side of sides)
		for (const [at, hunk] of file.hunks().entries()) {
			let index = 0;
			for (const line of hunk.lines) {
				if (line[side] === undefined) continue;
				const parts = colours?.[side][at]?.[index];
				if (typeof parts === 'string') lines.set(line, parts);
				index += 1;
			}
		}
	return lines;
};

const withReview = (state: State, review: Partial<State['review']>): State => ({
	...state,
	review: {...state.review, ...review},
});
