import {editLine, inputOf} from '../forms/text-input.ts';
import type {InputEvent} from '../keys/input-event.ts';
import {setFilter} from '../store/list-changes.ts';
import {setMode} from '../store/mode-changes.ts';
import {browsing, type ModeOf, type State} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {showMatch} from './jump.ts';

/** Filters while the text is typed. Enter keeps the filter, Esc clears it. */
export const handleFilterInput = (
	{store}: HandleContext,
	event: InputEvent,
	{list}: ModeOf<'filter'>,
): void => {
	if (event.kind === 'wheel' || event.kind === 'click') return;
	if (event.kind === 'key' && event.name === 'enter') {
		store.dispatch(setMode(browsing));
		return list === 'text' ? showMatch(store) : undefined;
	}
	if (event.kind === 'key' && event.name === 'esc') {
		store.dispatch(setFilter(list, ''));
		return store.dispatch(setMode(browsing));
	}
	const text = filterText(store.getState(), list);
	const edited = editLine(inputOf(text), event);
	if (edited) store.dispatch(setFilter(list, edited.text));
};

/** The text typed so far. */
const filterText = (state: State, list: ModeOf<'filter'>['list']): string =>
	list === 'text' ? state.search : (state.filters[list] ?? '');
