import {backgroundAt, charactersAt, foregroundAt, widthAt} from './cell.ts';
import {startsWithMark} from './marks.ts';
import {sgrOf} from './sgr.ts';
import type {BufferLine, Core} from './xterm-core.ts';

export type View = {
	readonly columns: number;
	readonly rows: number;
	/** Index of the first row among all kept rows; by default the first row on screen. */
	readonly top?: number;
	/** If true, draws the cursor as a cell in reverse, if the program shows one. */
	readonly cursor?: boolean;
};

type Drawn = {bytes: Buffer; isComplete: boolean; cursor: number; columns: number; text: string};

const inverse = 0x400_0000;
const isProtected = 0x2000_0000;

/**
 * Draws rows of the active buffer as text with SGR only, each as wide as the view. Unchanged rows are not
 * drawn again.
 */
export const createRows = (core: Core): ((view: View) => readonly string[]) => {
	const drawn: Drawn[] = [];
	return ({columns, rows, top, cursor = false}) => {
		const {active} = core.buffers;
		const first = top ?? active.ybase;
		const cursorRow = cursor && !core.coreService.isCursorHidden ? active.ybase + active.y - first : -1;
		drawn.length = Math.min(drawn.length, rows);
		return Array.from({length: rows}, (_, row) => {
			const line = active.lines.get(first + row);
			if (line === undefined) return ' '.repeat(columns);
			const at = row === cursorRow ? Math.min(active.x, line.length - 1, columns - 1) : -1;
			const before = drawn[row];
			if (before !== undefined && isSameText(before, line, at, columns)) return before.text;
			const text = drawRow(line, columns, at);
			drawn[row] = cacheRow(before, line, at, columns, text);
			return text;
		});
	};
};

const bytesOf = ({_data}: BufferLine): Buffer =>
	Buffer.from(_data.buffer, _data.byteOffset, _data.byteLength);

/**
 * True if the row is unchanged. Marks and underlines, which xterm keeps outside a row's numbers, are not
 * compared: a row with them is drawn each time.
 */
const isSameText = (drawn: Drawn, line: BufferLine, cursor: number, columns: number): boolean =>
	drawn.isComplete &&
	drawn.cursor === cursor &&
	drawn.columns === columns &&
	drawn.bytes.equals(bytesOf(line));

const cacheRow = (
	before: Drawn | undefined,
	line: BufferLine,
	cursor: number,
	columns: number,
	text: string,
): Drawn => {
	const now = bytesOf(line);
	const bytes = before?.bytes.length === now.length ? before.bytes : Buffer.alloc(now.length);
	now.copy(bytes);
	return {bytes, isComplete: isComplete(line), cursor, columns, text};
};

const combined = 0x20_0000;
const hasExtended = 0x1000_0000;

const isComplete = ({_data}: BufferLine): boolean => {
	for (let at = 0; at < _data.length; at += 3)
		if ((_data[at] ?? 0) & combined || (_data[at + 2] ?? 0) & hasExtended) return false;
	return true;
};

const drawRow = (line: BufferLine, columns: number, cursor: number): string => {
	let text = '';
	let pen = plain;
	let fgBefore = 0;
	let bgBefore = 0;
	let isExtended = false;
	const last = Math.min(columns, line.length);
	let column = 0;
	while (column < last) {
		const fg = column === cursor ? foregroundAt(line, column) ^ inverse : foregroundAt(line, column);
		const bg = backgroundAt(line, column) & ~isProtected;
		if (fg !== fgBefore || bg !== bgBefore || isExtended) {
			const wanted = sgrOf(fg, bg, line._extendedAttrs[column]);
			if (wanted !== pen) text += wanted;
			pen = wanted;
			fgBefore = fg;
			bgBefore = bg;
			isExtended = (bg & hasExtended) !== 0;
		}
		const width = widthAt(line, column);
		const characters = width === 0 ? '' : charactersAt(line, column);
		const fits = characters !== '' && column + width <= last;
		if (startsWithMark(characters)) text += ' ';
		text += fits ? characters : ' ';
		column += fits ? width : 1;
	}
	if (pen !== plain) text += plain;
	return text + ' '.repeat(Math.max(0, columns - column));
};

const plain = '\x1b[0m';
