import type {SheetRow} from '../parts/sheet-rows.ts';
import {areBothShown, isBesideDiff, sheetRoom} from './layout.ts';
import {rowsOfSheet, type SheetPlace, sheetView} from './sheet.ts';
import {exampleOf} from './sheet-without-trace.ts';
import type {State} from './state.ts';
import type {Change} from './store.ts';

/** The rows of the sheet pane. */
export const shownSheetRows = (state: State): readonly SheetRow[] =>
	rowsOfSheet(state, sheetRoom(state), placeOf(state));

const placeOf = (state: State): SheetPlace => {
	if (state.tab !== 'review' || !areBothShown(state, 'sheet', 'diff')) return 'away from diff';
	return isBesideDiff(state.size) ? 'beside diff' : 'above diff';
};

/** Index of the row at the cursor. */
export const sheetCursor = (state: State): number =>
	Math.max(0, Math.min(sheetView(state).cursor, shownSheetRows(state).length - 1));

export const moveSheetCursor =
	(row: number): Change =>
	state => ({
		...state,
		sheet: {
			...sheetView(state),
			cursor: Math.max(0, Math.min(row, shownSheetRows(state).length - 1)),
		},
	});

/** The example at the cursor, in the sheet of an empty colony. */
export const selectedExample = (state: State): string | undefined =>
	exampleOf(state, shownSheetRows(state)[sheetCursor(state)]);

/** True if the line at the cursor has more text than is shown. */
export const canUnfoldSheet = (state: State): boolean =>
	shownSheetRows(state)[sheetCursor(state)]?.canUnfold === true;

/** What Enter does to the line at the cursor; undefined if it has no more text. */
export const sheetLineLabel = (state: State): 'fold' | 'unfold' | undefined => {
	if (!canUnfoldSheet(state)) return undefined;
	const {key = ''} = shownSheetRows(state)[sheetCursor(state)] ?? {};
	return sheetView(state).unfolded.has(key) ? 'fold' : 'unfold';
};

/** Unfolds the line at the cursor, or folds it. The cursor goes to the first row of the line. */
export const toggleSheetLine: Change = state => {
	const {key} = shownSheetRows(state)[sheetCursor(state)] ?? {};
	if (key === undefined || !canUnfoldSheet(state)) return state;
	const view = sheetView(state);
	const unfolded = new Set(view.unfolded);
	if (!unfolded.delete(key)) unfolded.add(key);
	const next = {...state, sheet: {...view, unfolded}};
	return moveSheetCursor(shownSheetRows(next).findIndex(row => row.key === key))(next);
};
