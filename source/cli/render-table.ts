import {sanitizeProse} from '../domain/sanitize.ts';
import type {Text} from './text.ts';

/** A column: its title, and whether its cells are numbers, aligned right. */
export type Column = {readonly title: string; readonly right?: boolean};

/**
 * Renders a table for people. Columns are as wide as their widest cell. On a terminal the table is cut to
 * `columns` cells, the widest columns first. Without rows, only the titles are shown.
 */
export const renderTable = async (
	heads: readonly Column[],
	rows: readonly (readonly string[])[],
	columns: number | undefined,
): Promise<Exclude<Text, string>> => {
	const clean = rows.map(row => heads.map((_, at) => sanitizeProse(row[at] ?? '')));
	const measure = await measureFor(clean.flat());
	const widths = fitWidths(
		heads.map(({title}, at) => Math.max(...[title, ...clean.map(row => row[at] ?? '')].map(measure))),
		columns,
	);
	const line = (cells: readonly string[]) =>
		cells
			.map((cell, at) => fitCell(cell, widths[at] ?? 0, heads[at]?.right ?? false, measure))
			.join(gap)
			.trimEnd();
	return [
		{text: line(heads.map(({title}) => title)), style: 'strong'},
		...clean.map(row => `\n${line(row)}`),
	];
};

const gap = '  ';
/** Minimum width of a column. */
const minColumnWidth = 4;

const fitWidths = (naturalWidths: readonly number[], columns: number | undefined): number[] => {
	const widths = [...naturalWidths];
	const room = (columns ?? Number.POSITIVE_INFINITY) - gap.length * (naturalWidths.length - 1);
	let excess = widths.reduce((sum, width) => sum + width, 0) - room;
	while (excess > 0) {
		const widest = Math.max(...widths);
		if (widest <= minColumnWidth) break;
		widths[widths.lastIndexOf(widest)] = widest - 1;
		excess--;
	}
	return widths;
};

type Measure = (text: string) => number;

/**
 * Returns the measure of text width. The table of character widths takes longer to load than most commands
 * run, so it is not loaded for plain ASCII.
 */
const measureFor = async (cells: readonly string[]): Promise<Measure> => {
	if (cells.every(cell => /^[ -~]*$/.test(cell))) return text => text.length;
	const {default: stringWidth} = await import('string-width');
	return text => stringWidth(text);
};

const fitCell = (cell: string, width: number, right: boolean, measure: Measure): string => {
	const kept = measure(cell) <= width ? cell : takeWidth(cell, width - 1, measure);
	const text = kept === cell ? cell : `${kept}…`;
	const space = ' '.repeat(Math.max(0, width - measure(kept) - (kept === cell ? 0 : 1)));
	return right ? space + text : text + space;
};

/** Returns the beginning of the text that fits, without splitting a character. */
const takeWidth = (text: string, width: number, measure: Measure): string => {
	let kept = '';
	for (const {segment} of new Intl.Segmenter().segment(text)) {
		if (measure(kept + segment) > width) break;
		kept += segment;
	}
	return kept;
};
