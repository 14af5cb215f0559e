import {Box} from 'ink';
import {Fragment, memo, type ReactNode} from 'react';
import type {Tone} from '../parts/line.ts';
import {SafeText} from './safe-text.tsx';

type CellText = readonly [text: string, tone?: Tone];

/** One column. `grow` takes what the others leave; `from` hides it in tables narrower than that. */
export type Column<Row> = {
	readonly title: string;
	readonly width: number | 'grow';
	readonly align?: 'left' | 'right';
	readonly from?: number;
	readonly cell: (row: Row) => CellText;
};

type TableProps<Row> = {
	readonly columns: readonly Column<Row>[];
	readonly width: number;
	/** Those in the window only. */
	readonly rows: readonly Row[];
	readonly idOf: (row: Row) => string;
	readonly selected: Row | undefined;
	/** What stands below a row. */
	readonly below?: (row: Row, isSelected: boolean) => ReactNode;
};

/** A heading and the rows of a window; the selected one starts with `>`. */
export const Table = <Row,>({columns, width, rows, idOf, selected, below}: TableProps<Row>) => {
	const shown = columns.filter(({from = 0}) => from <= width);
	const head = shown.map(({title, ...column}): Cell => ({...column, text: title, tone: 'dim'}));
	return (
		<Box flexDirection="column" flexShrink={0} aria-role="table">
			<TableRow cells={head} isSelected={false} />
			{rows.map(row => {
				const isSelected = row === selected;
				const cells = shown.map(({cell, width: size, align = 'left'}): Cell => {
					const [text, tone = isSelected ? 'strong' : 'plain'] = cell(row);
					return {width: size, align, text, tone};
				});
				return (
					<Fragment key={idOf(row)}>
						<TableRow cells={cells} isSelected={isSelected} />
						{below?.(row, isSelected)}
					</Fragment>
				);
			})}
		</Box>
	);
};

type Cell = {
	readonly width: number | 'grow';
	readonly align?: 'left' | 'right';
	readonly text: string;
	readonly tone: Tone;
};
type RowProps = {readonly cells: readonly Cell[]; readonly isSelected: boolean};

const isSameRow = (before: RowProps, after: RowProps): boolean =>
	before.isSelected === after.isSelected &&
	before.cells.length === after.cells.length &&
	before.cells.every((cell, index) => isSameCell(cell, after.cells[index]));

const isSameCell = (before: Cell, after: Cell | undefined): boolean =>
	before.text === after?.text && before.tone === after.tone && before.width === after.width;

const TableRow = memo(
	({cells, isSelected}: RowProps) => (
		<Box
			height={1}
			flexShrink={0}
			columnGap={1}
			paddingLeft={isSelected ? 0 : mark}
			aria-role="listitem"
			aria-state={{selected: isSelected}}
		>
			{isSelected ? (
				// The gap after it is taken back.
				<Box width={mark} flexShrink={0} marginRight={-1}>
					<SafeText tone="accent">{'>'}</SafeText>
				</Box>
			) : null}
			{cells.map(({width, align, text, tone}, column) => (
				<Box
					// biome-ignore lint/suspicious/noArrayIndexKey: a column stays where it is.
					key={column}
					{...(width === 'grow' ? {flexGrow: 1, flexBasis: 0} : {width, flexShrink: 0})}
					{...(align === 'right' ? {justifyContent: 'flex-end'} : {})}
				>
					<SafeText tone={tone}>{text}</SafeText>
				</Box>
			))}
		</Box>
	),
	isSameRow,
);

/** Columns of the mark before a row. */
const mark = 1;

export const SelectionMark = ({isSelected}: {readonly isSelected: boolean}) => (
	<Box width={mark} flexShrink={0}>
		{isSelected ? <SafeText tone="accent">{'>'}</SafeText> : null}
	</Box>
);
