import {widthOf} from './cells.ts';
import {shortId} from './format.ts';

/** A dim column of ids, as wide as the widest one. */
export const idColumn = <Row>(rows: readonly Row[], idOf: (row: Row) => string) => ({
	title: 'ID',
	width: rows.reduce((most, row) => Math.max(most, widthOf(shortId(idOf(row)))), 'ID'.length),
	cell: (row: Row) => [shortId(idOf(row)), 'dim'] as const,
});
