import {sanitizeLine} from '../../domain/sanitize.ts';
import type {DetailLine, DetailTone} from '../../host/views/detail/section.ts';
import {widthOf, wrapAtColumns, wrapAtSpaces} from '../parts/cells.ts';
import {memoized} from './memo.ts';

/** A row of a detail. Its first `named` characters are the name of a fact. */
export type DetailRow = {readonly text: string; readonly named: number; readonly tone: DetailTone};

/** Longer texts are broken at any character, since searching them for words takes too long. */
const maxWordWrapLength = 4096;

/** Lays out facts, with their names at the left, and texts in rows of the width. */
export const detailRows = memoized((lines: readonly DetailLine[], width: number): readonly DetailRow[] => {
	const indent = lines.reduce((maxWidth, {name = ''}) => Math.max(maxWidth, widthOf(name)), 0) + 2;
	return lines.flatMap(({name, text, tone = 'plain'}) => {
		const clean = sanitizeLine(text);
		if (name === undefined) return wrapText(clean, width).map(row => ({text: row, named: 0, tone}));
		return wrapText(clean, width - indent).map((row, index) => ({
			text: `${(index === 0 ? sanitizeLine(name) : '').padEnd(indent)}${row}`,
			named: indent,
			tone,
		}));
	});
});

const wrapText = (text: string, width: number): readonly string[] =>
	(text.length > maxWordWrapLength ? wrapAtColumns : wrapAtSpaces)(text, Math.max(8, width));
