import type {Size} from '../store/state.ts';
import {toAscii} from './ascii.ts';

/**
 * The terminal for Ink. Its size is fixed while it is drawn on, and it reports no resizes. On a lower
 * terminal Ink would clear the screen and the scrollback. The caller mounts Ink anew after a resize.
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
 * Corrects two faults in how Ink 6.8 writes changed rows. It moves up one row too few if a frame ends with a
 * line feed, as frames do that leave the last row free. And it erases the rest of a row after writing it,
 * which removes the last column of a row as wide as the terminal. The corrected text starts at the first row
 * of the screen, and erases before it writes.
 */
const correctFrame = (text: string): string =>
	text.replace(upToFirstRow, '\x1b[H').replaceAll(rowThenErase, '$1$3$2');
