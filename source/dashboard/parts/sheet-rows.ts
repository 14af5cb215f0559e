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

/** Max rows of one line before it is unfolded: of a quotation of the request, and of any other line. */
const maxRows = {request: 3, other: 2};
/** Columns of the longest subject beside which texts are aligned. */
const maxSubjectWidth = 24;
/** From this many columns, two short parts share a row. */
const roomForTwo = 90;

/**
 * Returns the rows of a sheet. Unfolded, each line has its whole text.
 *
 * @param isWhole true if it is unfolded
 */
export const sheetRows = (parts: readonly SheetPart[], width: number, isWhole: boolean): readonly Line[] => {
	const named = parts.reduce((most, {name}) => Math.max(most, widthOf(name)), 0) + 2;
	const blocks = parts.map(part => partRows(part, named, width, isWhole));
	return joinShort(blocks, parts, width).flat();
};

const partRows = (
	{name, lines}: SheetPart,
	named: number,
	width: number,
	isWhole: boolean,
): readonly Line[] => {
	const subject = Math.min(
		maxSubjectWidth,
		lines.reduce((most, {about = ''}) => Math.max(most, widthOf(sanitizeLine(about))), 0),
	);
	const limit = name === 'You asked' ? maxRows.request : maxRows.other;
	const rows = lines.flatMap(line => lineRows(line, {subject, limit, width: width - named, isWhole}));
	return rows.map((row, index) => [span((index === 0 ? name : '').padEnd(named), 'dim'), ...row]);
};

/** Returns the rows of a single fact without a mark. */
export const factRows = ({tone, text}: SheetLine, width: number): readonly Line[] =>
	wrapLines(text, width).map(row => [span(row, tones[tone])]);

type Room = {
	/** Columns of the longest subject. */
	readonly subject: number;
	/** Max rows of the text, unless it is whole. */
	readonly limit: number;
	readonly width: number;
	readonly isWhole: boolean;
};

const lineRows = (line: SheetLine, {subject, limit, width, isWhole}: Room): readonly Line[] => {
	const {tone, text, about = '', below = [], more} = line;
	const name = about === '' ? '' : `${sanitizeLine(about)}  `;
	// A longer subject has its text below it in no column of its own.
	const padding = name === '' ? 0 : Math.max(0, subject + 2 - widthOf(name));
	const head = `${marks[tone]}${name}${' '.repeat(padding)}`;
	const indent = Math.min(widthOf(head), Math.floor(width / 2));
	const isReplaced = isWhole && more?.startsWith(text) === true;
	const all = wrapLines(isReplaced ? more : text, width - indent);
	const shown = isWhole ? all : cut(all, limit, more !== undefined && below.length === 0);
	const quoted = isWhole && more !== undefined && !isReplaced ? more.split('\n') : below;
	return [
		...shown.map(
			(row, index): Line => [
				span(index === 0 ? head : ' '.repeat(indent), tones[tone]),
				span(row, tones[tone]),
			],
		),
		...quoted
			.flatMap(row => (isWhole ? wrapLines(row, width - quoteSign.length) : [sanitizeLine(row)]))
			.map((row): Line => [span(quoteSign, 'dim'), span(row, 'plain')]),
	];
};

const quoteSign = '│ ';

const wrapLines = (text: string, width: number): readonly string[] =>
	text.split('\n').flatMap(row => wrapAtSpaces(sanitizeLine(row), Math.max(8, width)));

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
