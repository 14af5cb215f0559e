import {perObject} from './memo.ts';
import type {ListId, State} from './state.ts';

/**
 * A list of the screen: its rows, and which of them is selected. Nothing here takes longer for longer lists.
 */
export type List<Row> = {
	readonly rows: (state: State) => readonly Row[];
	/** Names the selection in the state: the list, and what its rows are of. */
	readonly place: (state: State) => string;
	/**
	 * Where the selected row is: the chosen one while it is there, else its neighbour, else the one to start
	 * with; -1 when there is none.
	 */
	readonly position: (state: State) => number;
	readonly selected: (state: State) => Row | undefined;
	/** A method, so that lists of all rows are lists. */
	id(row: Row): string;
	readonly idAt: (state: State, position: number) => string | undefined;
	readonly has: (state: State, id: string) => boolean;
};

type Options<Row> = {
	readonly name: ListId;
	readonly rows: (state: State) => readonly Row[];
	readonly id: (row: Row) => string;
	/** What the rows are of, where that changes: each has a selection of its own. */
	readonly within?: (state: State) => string;
	/** Where the selection starts; the first row unless given. */
	readonly start?: (rows: readonly Row[]) => number;
};

export const createList = <Row>({name, rows, id, within, start = () => 0}: Options<Row>): List<Row> => {
	const positions = perObject(
		(all: readonly Row[]): ReadonlyMap<string, number> => new Map(all.map((row, index) => [id(row), index])),
	);
	const starts = perObject((all: readonly Row[]) => (all.length === 0 ? -1 : start(all)));
	const place = (state: State): string => (within === undefined ? name : `${name} ${within(state)}`);
	/** Of a row that is gone: the next that is left of those that stood below it, else above it. */
	const neighbour = (gone: string, before: readonly Row[], now: ReadonlyMap<string, number>) => {
		const from = positions(before).get(gone);
		if (from === undefined) return undefined;
		const isLeft = (row: Row): boolean => now.has(id(row));
		const row = before.slice(from + 1).find(isLeft) ?? before.slice(0, from).findLast(isLeft);
		return row === undefined ? undefined : now.get(id(row));
	};
	const position = (state: State): number => {
		const all = rows(state);
		const now = positions(all);
		const chosen = state.selected[place(state)];
		if (chosen === undefined) return starts(all);
		// The rows of a list are always recorded under its own name.
		const before = (state.seen[name] ?? []) as readonly Row[];
		return now.get(chosen) ?? neighbour(chosen, before, now) ?? starts(all);
	};
	return {
		rows,
		id,
		place,
		position,
		selected: state => rows(state)[position(state)],
		idAt: (state, at) => {
			const row = rows(state)[at];
			return row === undefined ? undefined : id(row);
		},
		has: (state, wanted) => positions(rows(state)).has(wanted),
	};
};
