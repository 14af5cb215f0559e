import type {BufferLine} from './xterm-core.ts';

const combined = 0x20_0000;
const codePoint = 0x1f_ffff;

/**
 * Returns the characters of a cell. Empty if nothing was printed there, or for the second half of a wide
 * character.
 */
export const charactersAt = (line: BufferLine, column: number): string => {
	const content = line._data[column * 3] ?? 0;
	if (content & combined) return line._combined[column] ?? '';
	const code = content & codePoint;
	return code === 0 ? '' : String.fromCodePoint(code);
};

/** Returns the columns of a cell: 0 for the second half of a wide one. */
export const widthAt = (line: BufferLine, column: number): number => (line._data[column * 3] ?? 0) >>> 22;

export const foregroundAt = (line: BufferLine, column: number): number =>
	(line._data[column * 3 + 1] ?? 0) | 0;

export const backgroundAt = (line: BufferLine, column: number): number =>
	(line._data[column * 3 + 2] ?? 0) | 0;
