import {clip, widthOf} from '../parts/cells.ts';

type WrapText = (text: string, width: number, wrap: string) => string;

const style = new RegExp(`(${'\x1b'}\\[[\\d;:]*m)`);

/**
 * Ink's text wrapping with two differences when truncating at the end. It has no cache, since Ink's keeps
 * every text for ever. And a cut character of two columns does not move the ellipsis to the next column.
 */
export const withoutMemory =
	(stock: WrapText): WrapText =>
	(text, width, wrap) =>
		wrap === 'truncate' || wrap === 'truncate-end' ? truncate(text, width) : stock(text, width, wrap);

/** All styles are kept, since each one that begins in the text also ends in it. */
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
