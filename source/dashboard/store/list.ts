import {perObject} from './memo.ts';
import type {ListId, State} from './state.ts';

/** A list of the screen: its rows, and which of them is selected. Nothing here takes longer for longer lists. */
export type List<Row> = {
	readonly rows: (state: State) => readonly Row[];
	/** Where the selected row is: the chosen one while it is there, else the one to start with; -1 when there is none. */
	readonly position: (state: State) => number;
	readonly selected: (state: State) => Row | undefined;
	/** A method, so that lists of all rows are lists. */
	id(row: Row): string;
	readonly idAt: (state: State, position: number) => string | undefined;
};

type Options<Row> = {
	readonly name: ListId;
	readonly rows: (state: State) => readonly Row[];
	readonly id: (row: Row) => string;
	/** Where the selection starts; the first row unless given. */
	readonly start?: (rows: readonly Row[]) => number;
};

export const createList = <Row>({name, rows, id, start = () => 0}: Options<Row>): List<Row> => {
	const positions = perObject(
		(all: readonly Row[]): ReadonlyMap<string, number> => new Map(all.map((row, index) => [id(row), index])),
	);
	const starts = perObject((all: readonly Row[]) => (all.length === 0 ? -1 : start(all)));
	const position = (state: State): number => {
		const all = rows(state);
		return positions(all).get(state.selected[name] ?? '') ?? starts(all);
	};
	return {
		rows,
		id,
		position,
		selected: state => rows(state)[position(state)],
		idAt: (state, at) => {
			const row = rows(state)[at];
			return row === undefined ? undefined : id(row);
		},
	};
};
