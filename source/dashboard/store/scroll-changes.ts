import {diffRows} from './review.ts';
import {focusedPane} from './selectors.ts';
import {isList, type Scroll, type State, type TextId} from './state.ts';
import type {Change} from './store.ts';
import {firstAbove, firstRow, lastFirstRow} from './texts.ts';

/** Scrolls by rows. Scrolling up stops following the end of the log; reaching the end follows it again. */
export const scrollBy =
	(text: TextId, rows: number): Change =>
	state => {
		const last = lastFirstRow(state, text);
		const now = state.scroll[text];
		const from = now.follow ? last : Math.min(now.top, last);
		const to = Math.min(last, Math.max(0, from + rows));
		return withScroll(state, text, {...now, top: to, follow: text === 'log' && to === last && rows > 0});
	};

export const scrollTo =
	(text: TextId, row: number): Change =>
	state =>
		withScroll(text === 'diff' ? {...state, review: {...state.review, cursor: row}} : state, text, {
			...state.scroll[text],
			top: Math.min(lastFirstRow(state, text), Math.max(0, row)),
			follow: false,
		});

export const scrollSideways =
	(columns: number): Change =>
	state => {
		const pane = focusedPane(state);
		if (isList(pane) || (state.wrap && (pane === 'log' || pane === 'diff'))) return state;
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
