import {nextRow, rowThatMentions} from '../store/diff-search.ts';
import {showToast} from '../store/notice-changes.ts';
import {cursorRow, diffRows} from '../store/review.ts';
import {scrollTo} from '../store/scroll-changes.ts';
import {focusedPane} from '../store/selectors.ts';
import {isList, type State, type TextId} from '../store/state.ts';
import {firstRow, type PlainTextId, textRows} from '../store/texts.ts';
import type {HandleContext} from './context.ts';

type Handler = (context: HandleContext) => void;

/** Moves to the next match of the search, and wraps around. */
export const searchStep =
	(step: 1 | -1): Handler =>
	({store}) => {
		const state = store.getState();
		const pane = focusedPane(state);
		if (isList(pane) || state.search === '') return;
		if (pane === 'diff')
			goTo(store, pane, rowThatMentions(diffRows(state), state.search, cursorRow(state), step));
		else goTo(store, pane, nextRowAfter(findMatches(state, pane), firstRow(state, pane), step));
	};

/**
 * Moves to the first match at or below the window, after a search was confirmed. Reports if there is none.
 */
export const showMatch = (store: HandleContext['store']): void => {
	const state = store.getState();
	const pane = focusedPane(state);
	if (isList(pane) || state.search === '') return;
	const top = firstRow(state, pane);
	const row =
		pane === 'diff'
			? rowThatMentions(diffRows(state), state.search, top - 1, 1)
			: nextRowAfter(findMatches(state, pane), top - 1, 1);
	store.dispatch(
		row === undefined ? showToast(`"${state.search}" was not found here.`, 'info') : scrollTo(pane, row),
	);
};

export const fileStep =
	(step: 1 | -1): Handler =>
	({store}) => {
		const state = store.getState();
		goTo(store, 'diff', nextRowAfter(diffRows(state).heads, cursorRow(state), step));
	};

export const hunkStep =
	(step: 1 | -1): Handler =>
	({store}) => {
		const state = store.getState();
		const row = nextRow(diffRows(state), cursorRow(state), step, ({kind}) => kind === 'hunk');
		goTo(store, 'diff', row);
	};

/** The next of the rows, with wrapping. */
const nextRowAfter = (rows: readonly number[], from: number, step: 1 | -1): number | undefined =>
	step > 0 ? (rows.find(row => row > from) ?? rows[0]) : (rows.findLast(row => row < from) ?? rows.at(-1));

const goTo = (store: HandleContext['store'], text: TextId, row: number | undefined): void => {
	if (row !== undefined) store.dispatch(scrollTo(text, row));
};

const findMatches = (state: State, text: PlainTextId): readonly number[] => {
	const wanted = state.search.toLowerCase();
	return textRows(state, text).flatMap((row, index) => (row.toLowerCase().includes(wanted) ? [index] : []));
};
