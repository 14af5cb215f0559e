import type {StyleWriter} from './brush.ts';
import {backgroundAt, charactersAt, foregroundAt, widthAt} from './cell.ts';
import {startsWithMark} from './marks.ts';
import {isErased} from './sgr.ts';
import type {Buffer, BufferLine} from './xterm-core.ts';

export type Size = {readonly columns: number; readonly rows: number};

/**
 * Paints the rows of a buffer, from `first` to the last. The terminal's screen must be empty, and its cursor
 * at the top left. Rows beyond its height scroll out at the top. Rows that continue others do so there too.
 */
export const paintRows = (brush: StyleWriter, buffer: Buffer, first: number, size: Size): void => {
	let end = 0;
	let previous: BufferLine | undefined;
	for (let index = first; index < buffer.lines.length; index++) {
		const line = buffer.lines.get(index);
		if (line === undefined) return;
		let start = 0;
		if (previous !== undefined && line.isWrapped && (end === size.columns || size.rows > 1))
			start = wrapInto(brush, previous, line, end, size.columns);
		else if (previous !== undefined) {
			brush.clean();
			brush.write('\r\n');
		}
		end = paintRow(brush, line, start, size.columns);
		previous = line;
	}
};

/** Paints a row from a column on. Returns the resulting column of the cursor. */
const paintRow = (brush: StyleWriter, line: BufferLine, start: number, columns: number): number => {
	let at = start;
	let run = '';
	const goTo = (column: number): void => {
		brush.write(run);
		run = '';
		if (at !== column) brush.write(`\x1b[${column + 1}G`);
		at = column;
	};
	for (let column = start; column < columns; column = Math.max(column + 1, at)) {
		const fg = foregroundAt(line, column);
		const bg = backgroundAt(line, column);
		const characters = charactersAt(line, column);
		if (characters === '' && isErased(fg, bg)) {
			if (bg === 0) continue;
			const end = endOfErased(line, column, columns, bg);
			goTo(column);
			brush.setStyle(0, bg);
			brush.write(`\x1b[${end - column}X`);
			column = end - 1;
			continue;
		}
		const width = widthAt(line, column);
		const extended = line._extendedAttrs[column];
		if (at !== column || !brush.hasStyle(fg, bg, extended)) {
			goTo(column);
			brush.setStyle(fg, bg, extended);
		}
		// A mark by itself needs a separator, or it would join the character before it.
		if (startsWithMark(characters)) run += '\0';
		const fits = column + width <= columns;
		run += fits && characters !== '' ? characters : ' ';
		at += fits ? Math.max(width, 1) : 1;
	}
	brush.write(run);
	return at;
};

const endOfErased = (line: BufferLine, column: number, columns: number, bg: number): number => {
	let end = column + 1;
	while (
		end < columns &&
		charactersAt(line, end) === '' &&
		foregroundAt(line, end) === 0 &&
		backgroundAt(line, end) === bg
	)
		end++;
	return end;
};

/**
 * Continues into the next row by printing past the last column, as the program did. Characters that are
 * printed only for that are erased again. Returns the column to continue from.
 */
const wrapInto = (
	brush: StyleWriter,
	previous: BufferLine,
	line: BufferLine,
	end: number,
	columns: number,
): number => {
	const isFull = end === columns;
	if (!isFull) {
		brush.clean();
		brush.write(`\x1b[${columns}G `);
	}
	const width = widthAt(line, 0);
	const bg = backgroundAt(line, 0);
	const characters = width > 0 && width < columns ? charactersAt(line, 0) : '';
	brush.setStyle(
		characters === '' ? 0 : foregroundAt(line, 0),
		characters === '' ? 0 : bg,
		characters === '' ? undefined : line._extendedAttrs[0],
	);
	if (startsWithMark(characters)) brush.write('\0');
	brush.write(characters === '' ? ' ' : characters);
	let at = characters === '' ? 1 : width;
	if (bg !== 0) {
		brush.clean();
		brush.write('\x1b[K');
	}
	if (!isFull) {
		brush.write(`\x1b[A\x1b[${columns}G`);
		brush.setStyle(
			0,
			isErased(foregroundAt(previous, columns - 1), backgroundAt(previous, columns - 1))
				? backgroundAt(previous, columns - 1)
				: 0,
		);
		brush.write(`\x1b[X\x1b[B\x1b[${at + 1}G`);
	}
	if (characters === '') {
		brush.clean();
		brush.write('\x1b[G\x1b[X');
		at = 0;
	}
	return at;
};
