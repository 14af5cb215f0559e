import type {PatchFile} from '../../review/patch.ts';
import type {LineRow} from '../../review/rows.ts';
import {type DiffRow, diffRows, shownPreview} from './review.ts';
import {shownSheetDiff} from './sheet-diff.ts';
import type {State} from './state.ts';
import {endRow, firstRow} from './texts.ts';

/** The first file on screen without highlighting: in the pane of the diff, or below a sheet. */
export const nextUnhighlightedFile = (state: State): PatchFile | undefined =>
	firstWithout(state, rowsOfPane(state)) ?? firstWithout(state, shownSheetDiff(state)?.rows ?? []);

const rowsOfPane = (state: State): readonly DiffRow[] =>
	(state.tab === 'review' || state.live) && shownPreview(state)?.state === 'ready'
		? diffRows(state).slice(firstRow(state, 'diff'), endRow(state, 'diff'))
		: [];

const firstWithout = ({review}: State, rows: readonly DiffRow[]): PatchFile | undefined =>
	rows.find((row): row is LineRow => row.kind === 'line' && !review.colours.has(row.file))?.file;
