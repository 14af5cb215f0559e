import {moveSelection} from './list-changes.ts';
import {cursorRow} from './review.ts';
import {moveCursor, scrollBy} from './scroll-changes.ts';
import {focusedPane} from './selectors.ts';
import {moveSheetCursor, sheetCursor} from './sheet-text.ts';
import {isList} from './state.ts';
import type {Change} from './store.ts';

/** Moves by rows. `Infinity` moves to the end. */
export const move =
	(rows: number): Change =>
	state => {
		const pane = focusedPane(state);
		if (pane === 'sheet') return moveSheetCursor(sheetCursor(state) + rows)(state);
		if (pane === 'diff') return moveCursor(cursorRow(state) + rows)(state);
		return isList(pane) ? moveSelection(pane, rows)(state) : scrollBy(pane, rows)(state);
	};
