import {commandForm} from '../forms/command.ts';
import {editLine, inputOf} from '../forms/text-input.ts';
import type {InputEvent} from '../keys/input-event.ts';
import {type PaletteRow, paletteRows} from '../keys/palette.ts';
import {resolveAction} from '../keys/resolve.ts';
import {setMode} from '../store/mode-changes.ts';
import {showToast} from '../store/notice-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';
import {openForm} from './open-form.ts';

/** Moves the selection, filters by typed text, and runs the selected row. */
export const handlePaletteInput = (
	context: HandleContext,
	event: InputEvent,
	mode: ModeOf<'palette'>,
): void => {
	const {store} = context;
	if (event.kind !== 'key') return;
	const rows = paletteRows(store.getState(), mode.text);
	const step = event.name === 'up' ? -1 : event.name === 'down' ? 1 : 0;
	if (event.name === 'esc') return store.dispatch(setMode(browsing));
	if (event.name === 'enter') return runRow(context, rows[mode.selected]);
	if (step !== 0) {
		const selected = Math.min(rows.length - 1, Math.max(0, mode.selected + step));
		return store.dispatch(setMode({...mode, selected}));
	}
	const edited = editLine(inputOf(mode.text), event);
	if (edited) store.dispatch(setMode({kind: 'palette', text: edited.text, selected: 0}));
};

const runRow = (context: HandleContext, row: PaletteRow | undefined): void => {
	if (!row) return;
	const {store, world: services} = context;
	store.dispatch(setMode(browsing));
	if ('line' in row.runs) return openForm(context, commandForm(services.now(), row.runs.line, row.help));
	const resolved = resolveAction(row.runs.binding, store.getState());
	if (resolved.kind === 'action') perform(resolved.action, context);
	else store.dispatch(showToast(resolved.reason, 'info'));
};
