import {closePast} from './past-changes.ts';
import {lists} from './selectors.ts';
import type {ListId} from './state.ts';
import type {Change} from './store.ts';

/** Selects a row. If the row does not exist yet, the selection changes when it arrives. */
export const select =
	(list: ListId, id: string): Change =>
	state => {
		const isAnother = list === 'traces' && state.past !== undefined && state.past.trace.traceId !== id;
		const shown = isAnother ? closePast(state) : state;
		const {[list]: _other, ...awaited} = shown.awaited;
		const next = {...shown, awaited, selected: {...shown.selected, [lists[list].selectionKey(shown)]: id}};
		return lists[list].has(next, id) ? next : {...shown, awaited: {...awaited, [list]: id}};
	};

/** Selects a trace, at once or when its row arrives. Clears the filter so that it is not hidden. */
export const selectTrace =
	(traceId: string): Change =>
	state =>
		select(
			'traces',
			traceId,
		)({
			...setFilter('traces', '')(state),
			focus: {...state.focus, traces: 'traces'},
		});

/** Moves by rows. `Infinity` moves to the end. */
export const moveSelection =
	(list: ListId, rows: number): Change =>
	state => {
		const {rows: rowsOf, position, idAt} = lists[list];
		const last = rowsOf(state).length - 1;
		const id = idAt(state, Math.min(last, Math.max(0, position(state) + rows)));
		return id === undefined ? state : select(list, id)(state);
	};

export const setFilter =
	(list: ListId | 'text', text: string): Change =>
	state =>
		list === 'text' ? {...state, search: text} : {...state, filters: {...state.filters, [list]: text}};
