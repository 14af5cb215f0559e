import {clip, widthOf} from './cells.ts';
import {type ColourToken, type Line, type Span, span} from './line.ts';

/** The text of a cell, and an aside in the same cell. A `spare` aside takes the width that is left. */
export type CellText = readonly [
	text: string,
	tone?: ColourToken | undefined,
	aside?: readonly [text: string, tone: ColourToken, spare?: 'spare'],
];

/** One cell and its alignment. */
export type Cell = {
	readonly width: number;
	readonly align: 'left' | 'right';
	readonly content: CellText;
};

/** The mark before a row. */
export type RowMark = {readonly isSelected?: boolean; readonly isMarked?: boolean};

const signOf = ({isSelected, isMarked}: RowMark): string =>
	isMarked ? (isSelected ? '»' : '•') : isSelected ? '>' : ' ';

/** Columns between two cells, and of the mark before the first. */
export const gap = 1;

/** The width of each column of a row. Columns that grow share the rest. */
export const distributeWidth = (
	wanted: readonly (number | 'grow')[],
	rowWidth: number,
): readonly number[] => {
	const fixed = wanted.reduce<number>((sum, width) => sum + gap + (width === 'grow' ? 0 : width), 0);
	const growing = wanted.filter(width => width === 'grow').length;
	let [left, open] = [Math.max(0, rowWidth - fixed), growing];
	return wanted.map(width => {
		if (width !== 'grow') return width;
		const share = Math.ceil(left / open);
		left -= share;
		open -= 1;
		return share;
	});
};

/** Min width of a column that is narrowed for numbers beside it. */
export const minColumnWidth = 4;

/** Narrows the widest of the columns that may be cut until the row fits. */
export const shrinkColumns = (
	columns: readonly {readonly width: number | 'grow'; readonly isWhole: boolean}[],
	rowWidth: number,
): readonly (number | 'grow')[] => {
	const widths = columns.map(({width}) => width);
	let excess = widths.reduce<number>((sum, width) => sum + gap + (width === 'grow' ? 0 : width), -rowWidth);
	const order = columns
		.flatMap(({width, isWhole}, index) => (isWhole || width === 'grow' ? [] : [{width, index}]))
		.sort((one, other) => other.width - one.width);
	for (const {width, index} of order) {
		if (excess <= 0) break;
		const given = Math.min(excess, Math.max(0, width - minColumnWidth));
		widths[index] = width - given;
		excess -= given;
	}
	return widths;
};

/** A table row as one text, exactly as wide as the row. */
export const rowLine = (cells: readonly Cell[], rowWidth: number, mark: RowMark): Line => {
	const spans: Span[] = [span(signOf(mark), 'accent')];
	for (const [index, {width, align, content}] of cells.entries()) {
		if (index > 0) spans.push(span(' '));
		spans.push(...cellSpans(content, width, align, mark.isSelected ? 'strong' : 'plain'));
	}
	return fitLine(spans, rowWidth);
};

/** Columns that an aside always gets. */
const minAsideWidth = 10;
/** A number at the beginning of an aside, which is never cut. */
const firstNumber = /^ \u00b7 [<~]?\$?\d[\d.,:/KMBT]*(?= \u00b7|$)/;

const cellSpans = (
	[text, tone, aside]: CellText,
	width: number,
	align: Cell['align'],
	usual: ColourToken,
): readonly Span[] => {
	const whole = span(text, tone ?? usual);
	const hasRoom = aside?.[2] === undefined || width - widthOf(whole.text) >= minAsideWidth;
	const beside =
		aside === undefined || aside[0] === '' || !hasRoom ? undefined : span(` · ${aside[0]}`, aside[1]);
	if (beside === undefined) {
		const cut = clip(whole.text, width);
		const pad = ' '.repeat(Math.max(0, width - widthOf(cut)));
		return [{...whole, text: align === 'right' ? pad + cut : cut + pad}];
	}
	// The aside is cut first, down to half of the cell. A number in it stays whole.
	const number = firstNumber.exec(beside.text)?.[0] ?? '';
	const minAside = Math.min(
		widthOf(beside.text),
		Math.max(Math.floor(width / 2), number === '' ? minAsideWidth : number.length),
	);
	const first = clip(whole.text, aside?.[2] === undefined ? Math.max(0, width - minAside) : width);
	const room = width - widthOf(first);
	const isCut = number !== '' && widthOf(beside.text) > room && room < number.length + ' …'.length;
	return fitLine([{...whole, text: first}, isCut ? {...beside, text: number} : beside], width);
};

/** Cuts a line to a width in columns, with an ellipsis, or pads it. */
export const fitLine = (content: Line, width: number): Line => {
	const spans: Span[] = [];
	let left = width;
	for (const [at, {text, tone}] of content.entries()) {
		if (left <= 0) break;
		const isCutBehind = widthOf(text) === left && content.slice(at + 1).some(later => later.text !== '');
		const cut = clip(isCutBehind ? `${text}…` : text, left);
		if (cut !== '') spans.push({text: cut, tone});
		left -= widthOf(cut);
		if (cut !== text) break;
	}
	return left > 0 ? [...spans, span(' '.repeat(left))] : spans;
};

/** A text at the left end and one at the right end. The left one is cut if both do not fit. */
export const spreadLine = (start: Line, end: Line, width: number): Line => {
	const endWidth = end.reduce((sum, {text}) => sum + widthOf(text), 0);
	return endWidth === 0 || endWidth + gap >= width
		? fitLine(start, width)
		: [...fitLine(start, width - endWidth - gap), span(' '), ...end];
};
