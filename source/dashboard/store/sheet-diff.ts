import {areaOf, areBothShown, inside} from './layout.ts';
import {memoized} from './memo.ts';
import {
	type DiffRow,
	type DiffRows,
	diffRows,
	isSideBySide,
	lineDigits,
	rowsOfChange,
	shownPreview,
} from './review.ts';
import {diffOfSheet} from './sheet.ts';
import {shownSheetRows} from './sheet-text.ts';
import type {State} from './state.ts';
import {columnsOfDiff, type DiffColumns} from './texts.ts';

/** The first rows of a diff, in the rows that the sheet above it leaves. */
export type SheetDiff = {
	readonly rows: readonly DiffRow[];
	/** Number of all rows of the diff. */
	readonly of: number;
	/** Columns of a line number. */
	readonly digits: number;
	readonly columns: DiffColumns;
};

/** Min rows of the diff. Fewer would be little more than the name of a file. */
const minRows = 3;

/**
 * The diff for the rows below a short sheet, with a row for its title. Undefined if there is no room, if it
 * has a pane of its own on the screen, or as long as it is not read.
 */
export const shownSheetDiff = (state: State): SheetDiff | undefined => {
	if (areBothShown(state, 'sheet', 'diff')) return undefined;
	const rows = readRows(state);
	const area = inside(areaOf(state, 'sheet'));
	const room = area.height - shownSheetRows(state).length - 1;
	if (rows === undefined || rows.length === 0 || room < minRows) return undefined;
	return firstRows(rows, room, area.width, state.tab === 'review' && isSideBySide(state));
};

const readRows = (state: State): DiffRows | undefined => {
	if (state.tab === 'review') return shownPreview(state)?.state === 'ready' ? diffRows(state) : undefined;
	const diff = diffOfSheet(state);
	return diff && rowsOfChange(diff);
};

const firstRows = memoized((rows: DiffRows, room: number, width: number, isPaired: boolean): SheetDiff => {
	const digits = lineDigits(rows.files);
	return {
		rows: rows.slice(0, room),
		...{of: rows.length, digits},
		columns: columnsOfDiff(width, digits, isPaired),
	};
});
