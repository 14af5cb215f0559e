import type {Terminal} from '@xterm/headless';
import {widthAt} from './cell.ts';
import type {Size} from './paint.ts';
import type {Buffer, Core} from './xterm-core.ts';

/**
 * Changes the size of a terminal. On a narrower alternate screen xterm keeps the cells beyond the edge, and
 * later edits bring them back. It keeps half of a wide character at an edge, and the old height of a hidden
 * alternate screen. This function removes all of that.
 */
export const resizeTerminal = (terminal: Terminal, core: Core, {columns, rows}: Size): void => {
	terminal.resize(columns, rows);
	core.buffers.alt.lines.maxLength = rows;
	for (const buffer of [core.buffers.normal, core.buffers.alt]) cutRows(buffer, columns);
	// The cursor may be elsewhere now, so a mark has nothing to join.
	core._inputHandler._parser.precedingJoinState = 0;
};

const cutRows = (buffer: Buffer, columns: number): void => {
	for (let index = 0; index < buffer.lines.length; index++) {
		const line = buffer.lines.get(index);
		if (line === undefined) continue;
		if (line.length > columns) line.resize(columns, buffer.getNullCell());
		if (widthAt(line, columns - 1) === 2) line.setCell(columns - 1, buffer.getNullCell());
	}
};
