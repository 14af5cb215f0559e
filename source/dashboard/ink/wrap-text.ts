import {clip, widthOf} from '../parts/cells.ts';

type WrapText = (text: string, width: number, wrap: string) => string;

const style = new RegExp(`(${'\x1b'}\\[[\\d;:]*m)`);

/**
 * Ink's way to fit a text into its columns, with two differences where it truncates at the end: it remembers
 * nothing, which Ink's own does for every text it ever saw, and a character of two columns that would be cut
 * does not push the ellipsis into the next column.
 */
export const withoutMemory =
	(stock: WrapText): WrapText =>
	(text, width, wrap) =>
		wrap === 'truncate' || wrap === 'truncate-end' ? truncate(text, width) : stock(text, width, wrap);

/** The styles stay, all of them: each that begins in the text ends in it. */
const truncate = (text: string, width: number): string => {
	let left = width;
	let isCut = false;
	const parts = text.split(style);
	const plain = parts.filter((_, index) => index % 2 === 0).join('');
	if (widthOf(plain) <= width) return text;
	return parts
		.map((part, index) => {
			if (index % 2 === 1 || part === '') return part;
			if (isCut) return '';
			const size = widthOf(part);
			if (size < left) {
				left -= size;
				return part;
			}
			isCut = true;
			return clip(`${part} `, left);
		})
		.join('');
};
