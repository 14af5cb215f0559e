import stringWidth from 'string-width';
import {sanitizeLine} from '../../domain/sanitize.ts';

/** What a stretch of text means; the theme decides what that looks like. */
export type Tone =
	| 'plain'
	| 'strong'
	| 'dim'
	| 'accent'
	| 'good'
	| 'bad'
	| 'info'
	| 'border'
	| 'focus'
	| 'cursor'
	| 'added'
	| 'removed';

export type Span = {readonly text: string; readonly tone: Tone};

/** One row of the screen, left to right. */
export type Line = readonly Span[];

/** The only way text becomes part of a row: sanitized, on one line, widths measured after (reliability.md §3). */
export const span = (text: string, tone: Tone = 'plain'): Span => ({text: sanitizeLine(text), tone});

export const line = (text: string, tone: Tone = 'plain'): Line => [span(text, tone)];

export const blank: Line = [];

/** Letters and signs that take one column and one code unit each; measuring every row of a frame has to be quick. */
export const oneColumn =
	/^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0373\u0391-\u03a1\u03b1-\u03c9\u0410-\u044f\u2010-\u2027\u2030-\u203b\u2190-\u21ff\u2200-\u22ff\u2400-\u2426\u2500-\u25fc\u2713\u2717]*$/;

/** Columns of a terminal that the text takes. */
export const widthOf = (text: string): number => (oneColumn.test(text) ? text.length : stringWidth(text));

export const lineWidth = (content: Line): number => content.reduce((sum, {text}) => sum + widthOf(text), 0);

/** Cut to that many columns, with an ellipsis where something was cut. */
export const clip = (text: string, width: number): string => {
	if (widthOf(text) <= width) return text;
	return width <= 0 ? '' : `${take(text, width - 1)}…`;
};

/** Exactly that many columns: cut or filled up with spaces. */
export const fill = (text: string, width: number, align: 'left' | 'right' = 'left'): string => {
	const cut = clip(text, width);
	const space = ' '.repeat(Math.max(0, width - widthOf(cut)));
	return align === 'left' ? cut + space : space + cut;
};

/** The row in exactly that many columns. */
export const fillLine = (content: Line, width: number): Line => {
	const fitted: Span[] = [];
	let left = width;
	for (const [index, {text, tone}] of content.entries()) {
		if (left <= 0) break;
		const isLast = index === content.length - 1;
		const cut = isLast || widthOf(text) > left ? clip(text, left) : text;
		fitted.push({text: cut, tone});
		left -= widthOf(cut);
	}
	if (left > 0) fitted.push({text: ' '.repeat(left), tone: 'plain'});
	return fitted;
};

/** The text from that column on; a wide character that is cut leaves a space. */
export const dropColumns = (text: string, columns: number): string => {
	if (columns <= 0) return text;
	if (oneColumn.test(text)) return text.slice(columns);
	const before = take(text, columns);
	if (widthOf(before) === columns) return text.slice(before.length);
	const cut = take(text, columns + 1);
	return ' '.repeat(Math.max(0, widthOf(cut) - columns)) + text.slice(cut.length);
};

let segmenter: Intl.Segmenter | undefined;

/** Most texts never need it, and it is slow to make. */
const graphemesOf = (text: string): Intl.Segments => {
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return segmenter.segment(text);
};

/** The text in rows of at most that many columns, broken between words where there are any. For short texts. */
export const wrapWords = (text: string, width: number): readonly string[] => {
	const rows: string[] = [];
	let rest = text;
	while (width > 1 && widthOf(rest) > width) {
		const row = take(rest, width);
		const space = rest[row.length] === ' ' ? row.length : row.lastIndexOf(' ');
		const end = space > 0 ? space : row.length;
		rows.push(rest.slice(0, end));
		rest = rest.slice(end).trimStart();
	}
	return [...rows, rest];
};

/** The text in rows of at most that many columns, broken between characters. */
export const wrapColumns = (text: string, width: number): readonly string[] => {
	if (widthOf(text) <= width) return [text];
	const rows: string[] = [];
	let [start, taken] = [0, 0];
	for (const {segment, index} of graphemesOf(text)) {
		const size = widthOf(segment);
		if (taken + size > width && index > start) {
			rows.push(text.slice(start, index));
			[start, taken] = [index, 0];
		}
		taken += size;
	}
	return [...rows, text.slice(start)];
};

/** As many whole characters as fit that many columns. */
const take = (text: string, width: number): string => {
	if (oneColumn.test(text)) return text.slice(0, Math.max(0, width));
	let taken = 0;
	let end = 0;
	for (const {segment, index} of graphemesOf(text)) {
		taken += widthOf(segment);
		if (taken > width) return text.slice(0, end);
		end = index + segment.length;
	}
	return text;
};

/** What is left of a row after that many columns. */
const dropLine = (content: Line, columns: number): Line => {
	let left = columns;
	return content.flatMap(part => {
		const width = widthOf(part.text);
		const dropped = Math.min(left, width);
		left -= dropped;
		return dropped === width ? [] : [{...part, text: dropColumns(part.text, dropped)}];
	});
};

/** The first columns of a row, cut where they end. */
const keepColumns = (content: Line, columns: number): Line => {
	let left = columns;
	const kept = content.flatMap(part => {
		const text = left > 0 ? take(part.text, left) : '';
		left -= widthOf(text);
		return text === '' ? [] : [{...part, text}];
	});
	return left > 0 ? [...kept, span(' '.repeat(left))] : kept;
};

/** A row with another one laid over it from that column on. */
export const overlay = (below: Line, above: Line, column: number): Line => [
	...keepColumns(below, column),
	...above,
	...dropLine(below, column + lineWidth(above)),
];
