import {fill, type Line, type Span, span, type Tone} from './line.ts';

/** One column. `grow` takes what the others leave; `from` hides it in panes narrower than that. */
export type Column<Item> = {
	readonly title: string;
	readonly width: number | 'grow';
	readonly align?: 'left' | 'right';
	readonly from?: number;
	readonly cell: (item: Item) => readonly [text: string, tone?: Tone];
};

const marker = 1;

/** Columns for texts of which the longest takes that many: at most the most, and never under the least. */
export const widthFor = (longest: number, {least, most}: {least: number; most: number}): number =>
	Math.max(least, Math.min(longest, Math.floor(most)));

const leastBee = 8;

/** Columns for the names of bees: whole ones, up to a seventh of their table. */
export const beeWidth = (longest: number, tableWidth: number): number =>
	widthFor(longest, {least: leastBee, most: tableWidth / 7});

/** The heading row of a table of that width. */
export const tableHead = <Item>(columns: readonly Column<Item>[], width: number): Line =>
	[span(' ')].concat(
		fitted(columns, width).map(({title, size, align, gap}) => span(fill(title, size, align) + gap, 'dim')),
	);

/** One row; the selected one starts with `>`. */
export const tableRow = <Item>(
	columns: readonly Column<Item>[],
	width: number,
	item: Item,
	selected: boolean,
): Line => [
	selectionMark(selected),
	...fitted(columns, width).map(({cell, size, align, gap}) => {
		const [text, tone] = cell(item);
		return span(fill(span(text).text, size, align) + gap, tone ?? (selected ? 'strong' : 'plain'));
	}),
];

export const selectionMark = (selected: boolean): Span => span(selected ? '>' : ' ', 'accent');

const fitted = <Item>(columns: readonly Column<Item>[], width: number) => {
	const shown = columns.filter(({from}) => (from ?? 0) <= width);
	const fixed = shown.reduce((sum, column) => sum + (column.width === 'grow' ? 0 : column.width) + 1, marker);
	const rest = Math.max(0, width - fixed + 1);
	return shown.map((column, index) => ({
		...column,
		gap: index < shown.length - 1 ? ' ' : '',
		align: column.align ?? ('left' as const),
		size: column.width === 'grow' ? rest : column.width,
	}));
};
