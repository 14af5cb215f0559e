import {lists} from './selectors.ts';
import {isList, type ListId, type State, tabPanes} from './state.ts';

/**
 * Records what is selected in the lists of the open tab, so that it stays selected whatever moves around it.
 * In place of a row that is gone its neighbour is selected, from then on. What is shown of the past is gone
 * with it, and changes no selection.
 */
export const keepSelection = (state: State): State =>
	state.past === undefined ? tabPanes[state.tab].filter(isList).reduce(kept, state) : state;

const kept = (state: State, name: ListId): State => {
	const list = lists[name];
	const shown = withAwaited(state, name);
	const id = list.idAt(shown, list.position(shown));
	// Rows that are hidden for now come back with their selection.
	if (id === undefined) return shown;
	const place = list.place(shown);
	if (followsNewest(shown, name, place)) return withoutSelection(shown, place);
	const next = shown.selected[place] === id ? shown : {...shown, selected: {...shown.selected, [place]: id}};
	const rows = list.rows(next);
	return next.seen[name] === rows ? next : {...next, seen: {...next.seen, [name]: rows}};
};

/**
 * While a person is at a trace or a task, its newest run is shown as it begins, unless an older one was
 * chosen. In the runs and in the log nothing moves by itself. Events are followed as long as the newest is
 * selected.
 */
const followsNewest = (state: State, name: ListId, place: string): boolean => {
	if (name !== 'events' && (name !== 'runs' || state.focus.traces === 'runs' || state.focus.traces === 'log'))
		return false;
	const chosen = state.selected[place];
	return chosen === undefined || chosen === lists[name].idAt(state, 0);
};

const withoutSelection = (state: State, place: string): State => {
	if (state.selected[place] === undefined) return state;
	const {[place]: _followed, ...selected} = state.selected;
	return {...state, selected};
};

const withAwaited = (state: State, name: ListId): State => {
	const id = state.awaited[name];
	if (id === undefined) return state;
	const {[name]: _come, ...awaited} = state.awaited;
	const next = {...state, awaited, selected: {...state.selected, [lists[name].place(state)]: id}};
	return lists[name].has(next, id) ? next : state;
};
