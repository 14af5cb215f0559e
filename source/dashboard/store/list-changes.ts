import {closePast} from './past-changes.ts';
import {lists} from './selectors.ts';
import type {ListId} from './state.ts';
import type {Change} from './store.ts';

export const select =
	(list: ListId, id: string): Change =>
	state => {
		const isAnother = list === 'traces' && state.past !== undefined && state.past.trace.traceId !== id;
		const shown = isAnother ? closePast(state) : state;
		return {...shown, selected: {...shown.selected, [list]: id}};
	};

/** A trace whose row is there, or comes: no filter hides it. */
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

/** By rows; `Infinity` goes to the end. */
export const moveSelection =
	(list: ListId, rows: number): Change =>
	state => {
		const {rows: rowsOf, position, idAt} = lists[list];
		const last = rowsOf(state).length - 1;
		const id = idAt(state, Math.min(last, Math.max(0, position(state) + rows)));
		return id === undefined ? state : select(list, id)(state);
	};

/** What was found stays selected when the filter goes. */
export const setFilter =
	(list: ListId | 'text', text: string): Change =>
	state => {
		if (list === 'text') return {...state, search: text};
		const found =
			text === '' && state.filters[list] ? lists[list].idAt(state, lists[list].position(state)) : undefined;
		const filtered = {...state, filters: {...state.filters, [list]: text}};
		return found === undefined ? filtered : select(list, found)(filtered);
	};
