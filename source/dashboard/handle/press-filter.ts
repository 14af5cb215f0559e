import {editLine, inputOf} from '../forms/text-input.ts';
import type {Press} from '../keys/press.ts';
import {setFilter} from '../store/list-changes.ts';
import {setMode} from '../store/mode-changes.ts';
import {browsing, type ModeOf, type State} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {showMatch} from './jump.ts';

/** Filters while the text is typed. Enter keeps the filter, Esc clears it. */
export const pressFilter = ({store}: HandleContext, press: Press, {list}: ModeOf<'filter'>): void => {
	if (press.kind === 'wheel' || press.kind === 'click') return;
	if (press.kind === 'key' && press.name === 'enter') {
		store.dispatch(setMode(browsing));
		return list === 'text' ? showMatch(store) : undefined;
	}
	if (press.kind === 'key' && press.name === 'esc') {
		store.dispatch(setFilter(list, ''));
		return store.dispatch(setMode(browsing));
	}
	const text = filterText(store.getState(), list);
	const edited = editLine(inputOf(text), press);
	if (edited) store.dispatch(setFilter(list, edited.text));
};

/** The text typed so far. */
const filterText = (state: State, list: ModeOf<'filter'>['list']): string =>
	list === 'text' ? state.search : (state.filters[list] ?? '');
