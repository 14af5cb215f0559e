import {commandForm} from '../forms/command.ts';
import {editLine, inputOf} from '../forms/text-input.ts';
import {type PaletteRow, paletteRows} from '../keys/palette.ts';
import type {Press} from '../keys/press.ts';
import {resolveAction} from '../keys/resolve.ts';
import {setMode} from '../store/mode-changes.ts';
import {say} from '../store/notice-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';
import {openForm} from './open-form.ts';

/** Moves the selection, filters by typed text, and runs the selected row. */
export const pressPalette = (context: HandleContext, press: Press, mode: ModeOf<'palette'>): void => {
	const {store} = context;
	if (press.kind !== 'key') return;
	const rows = paletteRows(store.getState(), mode.text);
	const step = press.name === 'up' ? -1 : press.name === 'down' ? 1 : 0;
	if (press.name === 'esc') return store.dispatch(setMode(browsing));
	if (press.name === 'enter') return run(context, rows[mode.selected]);
	if (step !== 0) {
		const selected = Math.min(rows.length - 1, Math.max(0, mode.selected + step));
		return store.dispatch(setMode({...mode, selected}));
	}
	const edited = editLine(inputOf(mode.text), press);
	if (edited) store.dispatch(setMode({kind: 'palette', text: edited.text, selected: 0}));
};

const run = (context: HandleContext, row: PaletteRow | undefined): void => {
	if (!row) return;
	const {store, world} = context;
	store.dispatch(setMode(browsing));
	if ('line' in row.runs) return openForm(context, commandForm(world.now(), row.runs.line, row.help));
	const resolved = resolveAction(row.runs.binding, store.getState());
	if (resolved.kind === 'action') perform(resolved.action, context);
	else store.dispatch(say(resolved.reason, 'info'));
};
