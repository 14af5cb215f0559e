import type {Size} from '../store/state.ts';
import {toAscii} from './ascii.ts';

/**
 * The terminal as Ink draws on it. It keeps its size for as long as it is drawn on, and says nothing of
 * resizes: at a lower one Ink would clear the screen and the lines scrolled out above it. Who resizes mounts
 * anew.
 */
export const inkStdout = (
	stdout: NodeJS.WriteStream,
	{columns, rows}: Size,
	isAscii: boolean,
): NodeJS.WriteStream => {
	const write = (text: string, done?: () => void): boolean => {
		const corrected = correctFrame(text);
		return stdout.write(isAscii ? toAscii(corrected) : corrected, done);
	};
	return new Proxy(stdout, {
		get: (target, name) => {
			if (name === 'columns') return columns;
			if (name === 'rows') return rows;
			if (name === 'on' || name === 'off') return () => target;
			if (name === 'write') return write;
			const value = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
};

const csi = '\\u001b\\[';
const upToFirstRow = new RegExp(`^${csi}\\d+A`);
const rowThenErase = new RegExp(`(${csi}1G)([^\\n]*)(${csi}K)`, 'g');

/**
 * Two faults of what Ink 6.8 writes for the rows that changed: it goes up one row too few, where a frame ends
 * with a line feed as those do that leave the last row of the terminal free; and it erases the rest of a row
 * after the row, which in one as wide as the terminal is its last column. Ours start at the first row of the
 * screen, and erase before they write.
 */
const correctFrame = (text: string): string =>
	text.replace(upToFirstRow, '\x1b[H').replaceAll(rowThenErase, '$1$3$2');
