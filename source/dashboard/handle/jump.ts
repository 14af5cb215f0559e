import {say, scrollTo} from '../store/changes.ts';
import {cursorRow, diffRows} from '../store/review.ts';
import {focusedPane} from '../store/selectors.ts';
import {isList, type State, type TextId} from '../store/state.ts';
import {diffMarks, firstRow, textRows} from '../store/texts.ts';
import type {HandleContext} from './context.ts';

type Handler = (context: HandleContext) => void;

/** To the next row that holds what is searched, around the end. */
export const searchStep =
	(step: 1 | -1): Handler =>
	({store}) => {
		const state = store.getState();
		const pane = focusedPane(state);
		if (!isList(pane) && state.search !== '') jump(store, pane, matchesIn(state, pane), step);
	};

/** To the first match at or below what is on screen, once it is clear what is searched; said when there is none. */
export const showMatch = (store: HandleContext['store']): void => {
	const state = store.getState();
	const pane = focusedPane(state);
	if (isList(pane) || state.search === '') return;
	const rows = matchesIn(state, pane);
	const top = firstRow(state, pane);
	const row = rows.find(at => at >= top) ?? rows[0];
	store.dispatch(
		row === undefined ? say(`"${state.search}" is nowhere in here.`, 'info') : scrollTo(pane, row),
	);
};

export const markStep =
	(kind: 'hunks' | 'files', step: 1 | -1): Handler =>
	({store}) =>
		jump(store, 'diff', diffMarks(diffRows(store.getState()))[kind], step);

const jump = (store: HandleContext['store'], text: TextId, rows: readonly number[], step: 1 | -1): void => {
	const state = store.getState();
	const top = text === 'diff' ? cursorRow(state) : firstRow(state, text);
	const next =
		step > 0 ? (rows.find(row => row > top) ?? rows[0]) : (rows.findLast(row => row < top) ?? rows.at(-1));
	if (next !== undefined) store.dispatch(scrollTo(text, next));
};

const matchesIn = (state: State, text: TextId): readonly number[] => {
	const wanted = state.search.toLowerCase();
	return textRows(state, text).flatMap((row, index) => (row.toLowerCase().includes(wanted) ? [index] : []));
};
