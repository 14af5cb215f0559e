import {editText} from '../forms/text-input.ts';
import {paletteRows} from '../keys/palette.ts';
import type {Press} from '../keys/press.ts';
import {resolveAction} from '../keys/resolve.ts';
import type {Binding} from '../keys/table.ts';
import {say, setMode} from '../store/changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';

/** Moves, narrows by what is typed, and runs the action that is selected. */
export const pressPalette = (context: HandleContext, press: Press, mode: ModeOf<'palette'>): void => {
	const {store} = context;
	if (press.kind !== 'key') return;
	const rows = paletteRows(store.getState(), mode.text);
	const step = press.name === 'up' ? -1 : press.name === 'down' ? 1 : 0;
	if (press.name === 'esc') return store.dispatch(setMode(browsing));
	if (press.name === 'enter') return run(context, rows[mode.selected]?.binding);
	if (step !== 0) {
		const selected = Math.min(rows.length - 1, Math.max(0, mode.selected + step));
		return store.dispatch(setMode({...mode, selected}));
	}
	const edited = editText({text: mode.text, cursor: mode.text.length}, press);
	if (edited) store.dispatch(setMode({kind: 'palette', text: edited.text, selected: 0}));
};

const run = (context: HandleContext, binding: Binding | undefined): void => {
	if (!binding) return;
	context.store.dispatch(setMode(browsing));
	const resolved = resolveAction(binding, context.store.getState());
	if (resolved.kind === 'action') perform(resolved.action, context);
	else context.store.dispatch(say(resolved.reason, 'info'));
};
