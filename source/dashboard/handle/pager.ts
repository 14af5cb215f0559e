import {escapeHidden} from '../../domain/escape-hidden.ts';
import {shownPreview, shownSince} from '../store/review.ts';
import {focusedPane} from '../store/selectors.ts';
import {isList, type State, type TextId} from '../store/state.ts';
import {textRows} from '../store/texts.ts';
import type {Handler} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';

export const pager: Handler = context => {
	const {store, world: services} = context;
	const state = store.getState();
	const pane = focusedPane(state);
	if (!isList(pane)) void lendTerminal(context, () => services.openPager(wholeText(state, pane)));
};

/** The unwrapped text; in a diff the whole patch. */
const wholeText = (state: State, text: TextId): string =>
	text === 'diff' ? escapeHidden(patchOf(state)) : textRows({...state, wrap: false}, text).join('\n');

const patchOf = (state: State): string => {
	const preview = shownPreview(state);
	return preview?.state === 'ready' ? (shownSince(state) ?? preview.preview).patch : '';
};
