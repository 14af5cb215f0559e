import {Box} from 'ink';
import {Fragment, memo} from 'react';
import {useListId} from '../hooks/use-pane.ts';
import {useTheme} from '../hooks/use-theme.ts';
import {targetRef} from '../keys/target.ts';
import {widthOf} from '../parts/cells.ts';
import {type Line, span} from '../parts/line.ts';
import {
	type Cell,
	type CellText,
	distributeWidth,
	fitLine,
	gap,
	minColumnWidth,
	type RowMark,
	rowLine,
	shrinkColumns,
} from '../parts/row-line.ts';
import {type Selection, tokenOnBackground} from '../parts/theme.ts';
import {lists} from '../store/selectors.ts';
import {RichText} from './safe-text.tsx';

/**
 * One column. `grow` takes the width that the others leave. `from` hides it in narrower tables. A `whole`
 * column, and each right-aligned one, is as wide as its content: numbers are never cut.
 */
export type Column<Row> = {
	readonly title: string;
	readonly width: number | 'grow';
	readonly align?: 'left' | 'right';
	readonly from?: number;
	readonly whole?: true;
	readonly cell: (row: Row) => CellText;
};

type TableProps<Row> = {
	readonly columns: readonly Column<Row>[];
	readonly width: number;
	/** Only the rows in the window. */
	readonly rows: readonly Row[];
	readonly idOf: (row: Row) => string;
	readonly selected: Row | undefined;
	/** True if the pane has the focus, which the bar of the selected row shows. */
	readonly isFocused?: boolean;
	/** True if the row is marked for a common action. */
	readonly isMarked?: (row: Row) => boolean;
	/** A line above a row of the window, by the row's index. It cannot be selected. */
	readonly above?: (index: number) => Line | undefined;
	/** A line below a row. */
	readonly below?: ((row: Row, isSelected: boolean) => Line | undefined) | undefined;
	/** False to leave out the titles of the columns. */
	readonly hasHeading?: boolean;
};

/**
 * A heading, and the rows of a window. The selected row is a bar and starts with `>`, a marked one with `•`,
 * and one that is both with `»`.
 */
export const Table = <Row,>({
	columns,
	width,
	rows,
	idOf,
	selected,
	isFocused = true,
	isMarked = () => false,
	above,
	below,
	hasHeading = true,
}: TableProps<Row>) => {
	const list = useListId();
	const measured = fittingColumns(columns, rows, width);
	const shown = measured.map(({column}) => column);
	const widths = distributeWidth(shrinkColumns(measured, width), width);
	const lineOf = (contentOf: (column: Column<Row>) => CellText, mark: RowMark = {}): Line =>
		rowLine(
			shown.map(
				(column, index): Cell => ({
					width: widths[index] ?? 0,
					align: column.align ?? 'left',
					content: contentOf(column),
				}),
			),
			width,
			mark,
		);
	return (
		<Box flexDirection="column" flexShrink={0} aria-role="table">
			{hasHeading ? <TableRow line={lineOf(({title}) => [title, 'dim'])} /> : null}
			{rows.map((row, index) => {
				const aboveRow = above?.(index);
				const isSelected = row === selected;
				const selection = isSelected ? (isFocused ? 'strong' : 'faint') : undefined;
				const belowRow = below?.(row, isSelected);
				const content = (
					<Box
						key={idOf(row)}
						ref={targetRef(list && {kind: 'row', list, id: lists[list].id(row)})}
						flexDirection="column"
						flexShrink={0}
					>
						<TableRow
							line={lineOf(({cell}) => cell(row), {isSelected, isMarked: isMarked(row)})}
							selection={selection}
						/>
						{belowRow === undefined ? null : (
							<TableRow line={fitLine(belowRow, width)} selection={selection} />
						)}
					</Box>
				);
				if (aboveRow === undefined) return content;
				return (
					<Fragment key={idOf(row)}>
						<TableRow line={fitLine(aboveRow, width)} />
						{content}
					</Fragment>
				);
			})}
		</Box>
	);
};

type MeasuredColumn<Row> = {
	readonly column: Column<Row>;
	readonly width: number | 'grow';
	readonly isWhole: boolean;
};

/** Drops the columns of wider tables, and columns whose numbers would be cut, the last one first. */
const fittingColumns = <Row,>(
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	width: number,
): readonly MeasuredColumn<Row>[] => {
	const shown = columns
		.filter(({from = 0}) => from <= width)
		.map(column => ({column, width: widthIn(column, rows), isWhole: isWhole(column)}));
	while (minWidth(shown) > width) {
		const last = shown.findLastIndex(column => column.isWhole);
		if (last < 0) break;
		shown.splice(last, 1);
	}
	return shown;
};

const minWidth = (columns: readonly MeasuredColumn<never>[]): number =>
	columns.reduce((sum, {width, isWhole}) => {
		if (width === 'grow') return sum + gap + minColumnWidth;
		return sum + gap + (isWhole ? width : Math.min(width, minColumnWidth));
	}, 0);

const isWhole = ({whole, align}: Pick<Column<never>, 'whole' | 'align'>): boolean =>
	whole === true || align === 'right';

const widthIn = <Row,>(column: Column<Row>, rows: readonly Row[]): number | 'grow' => {
	const {width, cell} = column;
	if (width === 'grow' || !isWhole(column)) return width;
	return rows.reduce((most, row) => Math.max(most, widthOf(span(cell(row)[0]).text)), width);
};

type RowProps = {readonly line: Line; readonly selection?: Selection | undefined};

const isSameRow = (before: RowProps, after: RowProps): boolean =>
	before.selection === after.selection &&
	before.line.length === after.line.length &&
	before.line.every(({text, tone}, index) => {
		const other = after.line[index];
		return text === other?.text && tone === other.tone;
	});

const TableRow = memo(({line, selection}: RowProps) => {
	const theme = useTheme();
	return (
		<Box height={1} flexShrink={0} aria-role="listitem" aria-state={{selected: selection !== undefined}}>
			<RichText
				line={
					selection === undefined
						? line
						: line.map(({text, tone}) => ({text, tone: tokenOnBackground(theme, selection, tone)}))
				}
				selection={selection}
			/>
		</Box>
	);
}, isSameRow);
