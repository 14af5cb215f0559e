import {setFilter} from '../store/list-changes.ts';
import {setMode} from '../store/mode-changes.ts';
import {focusedPane} from '../store/selectors.ts';
import {isList} from '../store/state.ts';
import type {Handler} from './context.ts';

/** The filter starts empty. */
export const openFilter: Handler = ({store}) => {
	const state = store.getState();
	const pane = focusedPane(state);
	const list = isList(pane) ? pane : 'text';
	store.dispatch(setFilter(list, ''));
	store.dispatch(setMode({kind: 'filter', list}));
};
