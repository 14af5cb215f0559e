import {type Grapheme, graphemes} from './graphemes.ts';

/** A row of a wrapped text: the characters it draws. */
export type TextRow = {
	/** Offset of its first character. */
	readonly start: number;
	/** Offset after its last character. A line feed belongs to no row. */
	readonly end: number;
	/** True if the next row continues it without a line feed. */
	readonly goesOn: boolean;
	readonly graphemes: readonly Grapheme[];
};

/**
 * Wraps a text to rows narrower than the width, so that the cursor fits after each. Breaks between words if
 * possible.
 */
export const textRowsOf = (text: string, width: number): readonly TextRow[] => {
	const rows: TextRow[] = [];
	let row: Grapheme[] = [];
	let columns = 0;
	let start = 0;
	const close = (kept: readonly Grapheme[], goesOn: boolean): void => {
		const end = kept.at(-1)?.end ?? start;
		rows.push({start, end, goesOn, graphemes: kept});
		row = row.slice(kept.length);
		columns = columnsOf(row);
		start = goesOn ? end : end + 1;
	};
	for (const grapheme of graphemes(text)) {
		if (text[grapheme.index] === '\n') {
			close(row, false);
			continue;
		}
		while (columns + grapheme.width >= width && row.length > 0) {
			const words = row.slice(0, row.findLastIndex(({shown}) => shown === ' ') + 1);
			close(words.length === 0 ? row : words, true);
		}
		row.push(grapheme);
		columns += grapheme.width;
	}
	close(row, false);
	return rows;
};

const columnsOf = (row: readonly Grapheme[]): number => row.reduce((sum, {width}) => sum + width, 0);

/** The row of the cursor. At the boundary of two rows it is the second one. */
export const rowOf = (rows: readonly TextRow[], cursor: number): number =>
	Math.max(
		0,
		rows.findLastIndex(({start}) => start <= cursor),
	);

/** Columns before the cursor in its row. */
export const columnOf = (row: TextRow, cursor: number): number =>
	columnsOf(row.graphemes.filter(({index}) => index < cursor));

/** Offset of the character at the column, or of the row's end. */
export const offsetAt = ({graphemes: characters, end, goesOn}: TextRow, column: number): number => {
	let passed = 0;
	for (const {index, width} of characters) {
		passed += width;
		if (passed > column) return index;
	}
	return goesOn ? (characters.at(-1)?.index ?? end) : end;
};
