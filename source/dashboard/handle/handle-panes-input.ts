import type {InputEvent} from '../keys/input-event.ts';
import {resolveKey} from '../keys/resolve.ts';
import type {Target} from '../keys/target.ts';
import {select} from '../store/list-changes.ts';
import {move} from '../store/move.ts';
import {dismissReadToast, showToast} from '../store/notice-changes.ts';
import {focusPane, openTab} from '../store/pane-changes.ts';
import {focusedPane, lists} from '../store/selectors.ts';
import type {PaneId} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';

/** Handles a press for the panes, through the key table. */
export const handlePanesInput = (context: HandleContext, event: InputEvent): void => {
	const {store} = context;
	if (event.kind === 'wheel') return scrollPane(context, event);
	if (event.kind === 'click') return handleClick(context, event.on);
	if (event.kind !== 'key') return;
	store.dispatch(dismissReadToast);
	const resolved = resolveKey(event.name, store.getState());
	if (resolved?.kind === 'action') perform(resolved.action, context);
	if (resolved?.kind === 'blocked') store.dispatch(showToast(resolved.reason, 'info'));
};

const paneOf = (on: readonly Target[]): PaneId | undefined =>
	on.flatMap(target => (target.kind === 'pane' ? [target.pane] : []))[0];

/** The wheel scrolls the pane under the pointer. */
const scrollPane = ({store}: HandleContext, {rows, on}: Extract<InputEvent, {kind: 'wheel'}>): void => {
	const pane = paneOf(on);
	if (pane === undefined) return;
	store.dispatch(focusPane(pane));
	store.dispatch(move(rows));
};

/** A click opens a tab, focuses a pane or selects a row. On the selected row it acts as Enter. */
const handleClick = (context: HandleContext, on: readonly Target[]): void => {
	const {store} = context;
	const [target] = on;
	if (target?.kind === 'tab') return store.dispatch(openTab(target.tab));
	const pane = paneOf(on);
	const hadFocus = pane === focusedPane(store.getState());
	if (pane !== undefined) store.dispatch(focusPane(pane));
	if (target?.kind !== 'row') return;
	const {list, id} = target;
	const state = store.getState();
	if (hadFocus && lists[list].idAt(state, lists[list].position(state)) === id)
		return handlePanesInput(context, enterKey);
	store.dispatch(select(list, id));
};

const enterKey: InputEvent = {kind: 'key', name: 'enter'};
