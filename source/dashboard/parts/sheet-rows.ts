import {sanitizeLine} from '../../domain/sanitize.ts';
import type {SheetLine, SheetTone} from '../../host/views/sheet-lines.ts';
import {widthOf, wrapAtSpaces} from './cells.ts';
import {type ColourToken, type Line, plainText, span} from './line.ts';

/** A named part of a sheet. */
export type SheetPart = {readonly name: string; readonly lines: readonly SheetLine[]};

const tones: Readonly<Record<SheetTone, ColourToken>> = {
	bad: 'bad',
	warn: 'accent',
	good: 'good',
	plain: 'plain',
	dim: 'dim',
};
const marks: Readonly<Record<SheetTone, string>> = {bad: '✗ ', warn: '! ', good: '✓ ', plain: '', dim: ''};

/** How much of each line is shown before it is unfolded. */
type Fold = {
	/** Max rows of the request, and of any other line. */
	readonly request: number;
	readonly other: number;
	/** Max rows of an output below a line. */
	readonly below: number;
	/** True if lines that differ only in their subject share a row. */
	readonly isJoined: boolean;
};

/** From the widest. A sheet takes the first with which it fits in its pane, else the last. */
const folds: readonly Fold[] = [
	{request: 3, other: 2, below: 3, isJoined: false},
	{request: 2, other: 2, below: 2, isJoined: true},
	{request: 1, other: 1, below: 1, isJoined: true},
];
const unfolded: Fold = {request: Infinity, other: Infinity, below: Infinity, isJoined: false};

/** Columns of the longest subject beside which texts are aligned. */
const maxSubjectWidth = 24;
/** From this many columns, two short parts share a row. */
const roomForTwo = 90;

/**
 * Returns the rows of a sheet. Unfolded, each line has its whole text.
 *
 * @param size of the pane. Rows of parts that are read later do not count, so that the others do not move
 * @param isWhole true if it is unfolded
 */
export const sheetRows = (
	parts: readonly SheetPart[],
	size: {readonly width: number; readonly height: number},
	isWhole: boolean,
): readonly Line[] => {
	const named = parts.reduce((most, {name}) => Math.max(most, widthOf(name)), 0) + 2;
	const rowsWith = (fold: Fold) => {
		const blocks = parts.map(part => partRows(part, {...fold, named, width: size.width}));
		const joined = joinShort(blocks, parts, size.width);
		const height = joined.reduce(
			(sum, rows, index) => sum + (lateParts.has(parts[index]?.name ?? '') ? 0 : rows.length),
			0,
		);
		return {rows: joined.flat(), height};
	};
	if (isWhole) return rowsWith(unfolded).rows;
	let rows: readonly Line[] = [];
	for (const fold of folds) {
		const shown = rowsWith(fold);
		rows = shown.rows;
		if (shown.height <= size.height) break;
	}
	return rows;
};

/** Parts that are read later, or matter less than that the others are in sight. */
const lateParts: ReadonlySet<string> = new Set(['Lands as', 'Changes', 'Files']);

const partRows = (
	{name, lines: all}: SheetPart,
	{named, width, ...fold}: Fold & {readonly named: number; readonly width: number},
): readonly Line[] => {
	const lines = fold.isJoined ? joinEqual(all) : all;
	const subject = Math.min(
		maxSubjectWidth,
		lines.reduce((most, {about = ''}) => Math.max(most, widthOf(sanitizeLine(about))), 0),
	);
	const room: Room = {
		...{subject, width: width - named, below: fold.below},
		limit: name === 'You asked' ? fold.request : fold.other,
		hasMarks: lines.some(({tone}) => marks[tone] !== ''),
	};
	const rows = lines.flatMap(line => lineRows(line, room));
	return rows.map((row, index) => [span((index === 0 ? name : '').padEnd(named), 'dim'), ...row]);
};

/** Joins lines that differ only in their subject: `Limiter, Tests  guard: "Fine."` */
const joinEqual = (lines: readonly SheetLine[]): readonly SheetLine[] => {
	const joined = new Map<string, SheetLine>();
	for (const line of lines) {
		const {about = '', text, tone, below, more} = line;
		const key = about === '' ? `${joined.size}` : JSON.stringify([text, tone, below, more]);
		const first = joined.get(key);
		joined.set(key, first === undefined ? line : {...first, about: `${first.about}, ${about}`});
	}
	return [...joined.values()];
};

/** Returns the rows of a single fact without a mark. */
export const factRows = ({tone, text}: SheetLine, width: number): readonly Line[] =>
	wrapLines(text, width).map(row => [span(row, tones[tone])]);

type Room = {
	/** Columns of the longest subject. */
	readonly subject: number;
	/** Max rows of the text, and of the output below it. */
	readonly limit: number;
	readonly below: number;
	readonly width: number;
	/** True if a line of the part has a mark, for which all lines leave room. */
	readonly hasMarks: boolean;
};

const lineRows = (
	line: SheetLine,
	{subject, limit, below: maxBelow, width, hasMarks}: Room,
): readonly Line[] => {
	const {tone, text, about = '', below = [], more} = line;
	const isWhole = limit === Infinity;
	const name = about === '' ? '' : `${sanitizeLine(about)}  `;
	const padding = name === '' ? 0 : Math.max(0, subject + 2 - widthOf(name));
	const head = `${marks[tone] || (hasMarks ? '  ' : '')}${name}${' '.repeat(padding)}`;
	const indent = Math.min(widthOf(head), Math.floor(width / 2));
	const isReplaced = isWhole && more?.startsWith(text) === true;
	const all = wrapLines(isReplaced ? more : text, width - indent, width - widthOf(head));
	const shown = isWhole ? all : cut(all, limit, more !== undefined && below.length === 0);
	const quoted = isWhole && more !== undefined && !isReplaced ? more.split('\n') : below.slice(0, maxBelow);
	const margin = hasMarks ? '  ' : '';
	return [
		...shown.map(
			(row, index): Line => [
				span(index === 0 ? head : ' '.repeat(indent), tones[tone]),
				span(row, tones[tone]),
			],
		),
		...quoted
			.flatMap(row => (isWhole ? wrapLines(row, width - 4) : [sanitizeLine(row)]))
			.map((row): Line => [span(`${margin}${quoteSign}`, 'dim'), span(row, 'plain')]),
	];
};

const quoteSign = '│ ';

/** @param first columns of the first row, if it has fewer */
const wrapLines = (text: string, width: number, first = width): readonly string[] => {
	const [row = '', ...more] = wrapAtSpaces(sanitizeLine(text.split('\n', 1)[0] ?? ''), Math.max(8, first));
	const rest = [...(more.length === 0 ? [] : [more.join(' ')]), ...text.split('\n').slice(1)];
	return [row, ...rest.flatMap(one => wrapAtSpaces(sanitizeLine(one), Math.max(8, width)))];
};

/** Cuts to a number of rows. The end of what continues is marked. */
const cut = (rows: readonly string[], limit: number, continues: boolean): readonly string[] => {
	if (rows.length <= limit && !continues) return rows;
	return rows.slice(0, limit).map((row, index, kept) => (index === kept.length - 1 ? `${row} …` : row));
};

/** What is outside and what it cost are often a few words each. */
const joinShort = (
	blocks: readonly (readonly Line[])[],
	parts: readonly SheetPart[],
	width: number,
): readonly (readonly Line[])[] => {
	const at = parts.findIndex(({name}, index) => name === 'Outside' && parts[index + 1]?.name === 'Cost');
	const [one, other] = [blocks[at] ?? [], blocks[at + 1] ?? []];
	const half = Math.floor(width / 2);
	if (width < roomForTwo || one.length !== 1 || other.length !== 1) return blocks;
	const [left = [], right = []] = [one[0], other[0]];
	if (widthOf(plainText(left)) >= half || widthOf(plainText(right)) > width - half) return blocks;
	const joined = [...left, span(' '.repeat(half - widthOf(plainText(left)))), ...right];
	return [...blocks.slice(0, at), [joined], ...blocks.slice(at + 2)];
};
