import type {Press} from '../keys/press.ts';
import {resolveKey} from '../keys/resolve.ts';
import type {Target} from '../keys/target.ts';
import {select} from '../store/list-changes.ts';
import {move} from '../store/move.ts';
import {readToast, say} from '../store/notice-changes.ts';
import {focusPane, openTab} from '../store/pane-changes.ts';
import {focusedPane, lists} from '../store/selectors.ts';
import type {PaneId} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';

/** Handles a press for the panes, through the key table. */
export const pressPanes = (context: HandleContext, press: Press): void => {
	const {store} = context;
	if (press.kind === 'wheel') return roll(context, press);
	if (press.kind === 'click') return click(context, press.on);
	if (press.kind !== 'key') return;
	store.dispatch(readToast);
	const resolved = resolveKey(press.name, store.getState());
	if (resolved?.kind === 'action') perform(resolved.action, context);
	if (resolved?.kind === 'blocked') store.dispatch(say(resolved.reason, 'info'));
};

const paneOf = (on: readonly Target[]): PaneId | undefined =>
	on.flatMap(target => (target.kind === 'pane' ? [target.pane] : []))[0];

/** The wheel scrolls the pane under the pointer. */
const roll = ({store}: HandleContext, {rows, on}: Extract<Press, {kind: 'wheel'}>): void => {
	const pane = paneOf(on);
	if (pane === undefined) return;
	store.dispatch(focusPane(pane));
	store.dispatch(move(rows));
};

/** A click opens a tab, focuses a pane or selects a row. On the selected row it acts as Enter. */
const click = (context: HandleContext, on: readonly Target[]): void => {
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
		return pressPanes(context, enter);
	store.dispatch(select(list, id));
};

const enter: Press = {kind: 'key', name: 'enter'};
