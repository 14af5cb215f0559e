import {lists} from './selectors.ts';
import {isList, type ListId, type State, tabPanes} from './state.ts';

/**
 * Records the selection in the lists of the open tab, so that it stays although rows move. If the selected
 * row is gone, its neighbour is selected from then on. A past state changes no selection.
 */
export const keepSelection = (state: State): State =>
	state.past === undefined ? tabPanes[state.tab].filter(isList).reduce(keepInList, state) : state;

const keepInList = (state: State, name: ListId): State => {
	const list = lists[name];
	const shown = withAwaited(state, name);
	const id = list.idAt(shown, list.position(shown));
	// A selection is kept while its row is hidden.
	if (id === undefined) return shown;
	const selectionKey = list.selectionKey(shown);
	if (followsNewest(shown, name, selectionKey)) return withoutSelection(shown, selectionKey);
	const next =
		shown.selected[selectionKey] === id
			? shown
			: {...shown, selected: {...shown.selected, [selectionKey]: id}};
	const rows = list.rows(next);
	return next.previousRows[name] === rows
		? next
		: {...next, previousRows: {...next.previousRows, [name]: rows}};
};

/**
 * While a trace, a task or the sheet has the focus, its newest run is selected as it starts, unless an older
 * one was chosen. In the runs pane and the log the selection never moves by itself. Events follow the newest
 * one while it is selected.
 */
const followsNewest = (state: State, name: ListId, selectionKey: string): boolean => {
	if (name !== 'events' && (name !== 'runs' || state.focus.traces === 'runs' || state.focus.traces === 'log'))
		return false;
	const chosen = state.selected[selectionKey];
	return chosen === undefined || chosen === lists[name].idAt(state, 0);
};

const withoutSelection = (state: State, selectionKey: string): State => {
	if (state.selected[selectionKey] === undefined) return state;
	const {[selectionKey]: _followed, ...selected} = state.selected;
	return {...state, selected};
};

const withAwaited = (state: State, name: ListId): State => {
	const id = state.awaited[name];
	if (id === undefined) return state;
	const {[name]: _come, ...awaited} = state.awaited;
	const next = {...state, awaited, selected: {...state.selected, [lists[name].selectionKey(state)]: id}};
	return lists[name].has(next, id) ? next : state;
};
