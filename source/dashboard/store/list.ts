import {perObject} from './memo.ts';
import type {ListId, State} from './state.ts';

/**
 * A list on the screen: its rows and its selection. Positions are indexed once per array of rows, so that a
 * lookup takes constant time.
 */
export type List<Row> = {
	readonly rows: (state: State) => readonly Row[];
	/** The key of the selection in the state: the list, and the subject of its rows. */
	readonly selectionKey: (state: State) => string;
	/**
	 * Index of the selected row: the chosen one, else its neighbour if it is gone, else the initial one. -1 if
	 * there is none.
	 */
	readonly position: (state: State) => number;
	readonly selected: (state: State) => Row | undefined;
	/** A method, so that a list of any row type is assignable to a general list. */
	id(row: Row): string;
	readonly idAt: (state: State, position: number) => string | undefined;
	readonly has: (state: State, id: string) => boolean;
};

type Options<Row> = {
	readonly name: ListId;
	readonly rows: (state: State) => readonly Row[];
	readonly id: (row: Row) => string;
	/** The subject of the rows, if it changes. Each subject has a selection of its own. */
	readonly scopeOf?: (state: State) => string;
	/** The initially selected row. Defaults to the first one. */
	readonly start?: (rows: readonly Row[]) => number;
};

export const createList = <Row>({name, rows, id, scopeOf, start = () => 0}: Options<Row>): List<Row> => {
	const positions = perObject(
		(all: readonly Row[]): ReadonlyMap<string, number> => new Map(all.map((row, index) => [id(row), index])),
	);
	const starts = perObject((all: readonly Row[]) => (all.length === 0 ? -1 : start(all)));
	const selectionKey = (state: State): string => (scopeOf === undefined ? name : `${name} ${scopeOf(state)}`);
	/** The neighbour of a row that is gone: the next remaining row below it, else above it. */
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
		const chosen = state.selected[selectionKey(state)];
		if (chosen === undefined) return starts(all);
		// The rows of a list are always recorded under its own name.
		const before = (state.previousRows[name] ?? []) as readonly Row[];
		return now.get(chosen) ?? neighbour(chosen, before, now) ?? starts(all);
	};
	return {
		rows,
		id,
		selectionKey,
		position,
		selected: state => rows(state)[position(state)],
		idAt: (state, at) => {
			const row = rows(state)[at];
			return row === undefined ? undefined : id(row);
		},
		has: (state, wanted) => positions(rows(state)).has(wanted),
	};
};
