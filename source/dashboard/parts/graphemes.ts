import {sanitizeLine} from '../../domain/sanitize.ts';
import {graphemesOf, oneColumn, widthOf} from './cells.ts';

/** A grapheme, perhaps of several code points: its offset in the text, and its drawn form. */
export type Grapheme = {
	/** Offset of its first code unit. */
	readonly index: number;
	/** Offset after its last code unit. */
	readonly end: number;
	/** Empty for a line feed. */
	readonly shown: string;
	/** Columns of `shown` in a terminal. */
	readonly width: number;
};

/** The graphemes of a text in order. */
export const graphemes = (text: string): readonly Grapheme[] => {
	if (!text.includes('\n')) return graphemesOfLine(text, 0);
	const all: Grapheme[] = [];
	let start = 0;
	for (const row of text.split('\n')) {
		if (start > 0) all.push({index: start - 1, end: start, shown: '', width: 0});
		for (const grapheme of graphemesOfLine(row, start)) all.push(grapheme);
		start += row.length + 1;
	}
	return all;
};

/** @param start offset of the line in its text */
const graphemesOfLine = (text: string, start: number): readonly Grapheme[] =>
	oneColumn.test(text)
		? text.split('').map((shown, index) => ({index: start + index, end: start + index + 1, shown, width: 1}))
		: [...graphemesOf(text)].map(({segment, index}) => toGrapheme(segment, start + index));

const toGrapheme = (segment: string, index: number): Grapheme => {
	const shown = drawn(segment);
	return {index, end: index + segment.length, shown, width: widthOf(shown)};
};

/**
 * Joined emoji are drawn as their parts. Terminals differ on the width of the whole, but agree on that of the
 * parts.
 */
const drawn = (segment: string): string => sanitizeLine(segment.replaceAll(joining, ''));

const joining = /(?<=\p{Emoji})[\u200d\ufe0f]|(?<=\p{Emoji}\ufe0f)\u200d/gu;

/** Offset of the character before the cursor; 0 at the start. */
export const previousOffset = (text: string, cursor: number): number =>
	graphemes(text.slice(0, cursor)).at(-1)?.index ?? 0;

/** Offset after the character at the cursor; the text's length at the end. */
export const nextOffset = (text: string, cursor: number): number => {
	for (const {segment} of graphemesOf(text.slice(cursor))) return cursor + segment.length;
	return cursor;
};
