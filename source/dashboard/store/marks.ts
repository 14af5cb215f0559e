import {move} from './move.ts';
import {focusedPane, lists} from './selectors.ts';
import {isList, type ListId, type State} from './state.ts';
import type {Change} from './store.ts';

/** Lists in which several rows can be marked for a common action. */
export const markable: ReadonlySet<ListId> = new Set<ListId>(['queue']);

export const setMarks =
	(list: ListId, marks: ReadonlySet<string>): Change =>
	state => ({...state, marks: {...state.marks, [list]: marks}});

/** Marks or unmarks the selected row, and moves to the next. */
export const toggleMark: Change = state => {
	const pane = focusedPane(state);
	if (!isList(pane)) return state;
	const id = lists[pane].idAt(state, lists[pane].position(state));
	if (id === undefined) return state;
	const marks = new Set(state.marks[pane]);
	if (!marks.delete(id)) marks.add(id);
	return move(1)(setMarks(pane, marks)(state));
};

/** Ids of the marked rows that still exist, in the order of the list. */
export const markedIds = (state: State, list: ListId): readonly string[] => {
	const marks = state.marks[list];
	if (marks === undefined || marks.size === 0) return [];
	const {rows, id} = lists[list];
	return rows(state)
		.map(id)
		.filter(each => marks.has(each));
};
