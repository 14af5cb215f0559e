import {diffRows} from './review.ts';
import {focusedPane} from './selectors.ts';
import {moveSheetCursor} from './sheet-text.ts';
import {isList, type Scroll, type State, type TextId} from './state.ts';
import type {Change} from './store.ts';
import {firstAbove, firstRow, lastFirstRow, logCursor, textHeight, textRows} from './texts.ts';

/** Scrolls by rows; in the log it moves the cursor. */
export const scrollBy =
	(text: TextId, rows: number): Change =>
	state => {
		if (text === 'log') return moveLogBy(rows)(state);
		const last = lastFirstRow(state, text);
		const now = state.scroll[text];
		const from = now.follow ? last : Math.min(now.top, last);
		const to = Math.min(last, Math.max(0, from + rows));
		return withScroll(state, text, {...now, top: to, follow: false});
	};

export const scrollTo =
	(text: TextId, row: number): Change =>
	state => {
		if (text === 'sheet') return moveSheetCursor(row)(state);
		return withScroll(withCursor(state, text, row), text, {
			...state.scroll[text],
			top: Math.min(lastFirstRow(state, text), Math.max(0, row)),
			follow: false,
		});
	};

const withCursor = (state: State, text: TextId, row: number): State => {
	if (text === 'diff') return {...state, review: {...state.review, cursor: row}};
	return text === 'log' ? {...state, log: {...state.log, cursor: row}} : state;
};

/** Moves the cursor of the log by rows. More than one row also scrolls. */
const moveLogBy =
	(rows: number): Change =>
	state => {
		const top = firstRow(state, 'log');
		const scrolled = Math.abs(rows) > 1 ? Math.max(0, Math.min(lastFirstRow(state, 'log'), top + rows)) : top;
		return moveInLog(logCursor(state) + rows, scrolled, rows > 0)(state);
	};

/**
 * Moves the cursor of the log, and scrolls as far as needed. Moving up stops following the end; reaching the
 * last row downwards follows it again.
 */
export const moveInLog =
	(row: number, top?: number, mayFollow = false): Change =>
	state => {
		const last = Math.max(0, textRows(state, 'log').length - 1);
		const cursor = Math.max(0, Math.min(last, row));
		const lowest = Math.max(0, cursor - textHeight(state, 'log') + 1);
		const shown = Math.max(lowest, Math.min(top ?? firstRow(state, 'log'), cursor));
		return withScroll({...state, log: {...state.log, cursor}}, 'log', {
			...state.scroll.log,
			...{top: shown, follow: mayFollow && cursor === last},
		});
	};

export const scrollSideways =
	(columns: number): Change =>
	state => {
		const pane = focusedPane(state);
		if (isList(pane) || pane === 'sheet' || (state.wrap && (pane === 'log' || pane === 'diff'))) return state;
		const now = state.scroll[pane];
		return withScroll(state, pane, {...now, left: Math.max(0, now.left + columns)});
	};

export const followLog: Change = state =>
	withScroll(state, 'log', {
		...state.scroll.log,
		follow: !state.scroll.log.follow,
		top: lastFirstRow(state, 'log'),
	});

export const toggleWrap: Change = state => ({...state, wrap: !state.wrap});

/** Moves the cursor to a row of the diff, and scrolls as far as needed. */
export const moveCursor =
	(row: number): Change =>
	state => {
		const last = diffRows(state).length - 1;
		const cursor = Math.max(0, Math.min(last, row));
		const shown = Math.max(Math.min(firstRow(state, 'diff'), cursor), firstAbove(state, cursor));
		return withScroll({...state, review: {...state.review, cursor}}, 'diff', {
			...state.scroll.diff,
			top: shown,
		});
	};

const withScroll = (state: State, text: TextId, scroll: Scroll): State => ({
	...state,
	scroll: {...state.scroll, [text]: scroll},
});
