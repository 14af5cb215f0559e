import {type Form, stepForm, withField} from '../forms/form.ts';
import {editText} from '../forms/text-input.ts';
import {paletteRows} from '../keys/palette.ts';
import type {Press} from '../keys/press.ts';
import {resolveAction, resolveKey} from '../keys/resolve.ts';
import {layoutOf} from '../layout.ts';
import {changeForm, focusPane, move, readToast, say, setFilter, setMode} from '../store/changes.ts';
import {browsing, type Mode, type State} from '../store/state.ts';
import {handlers} from './actions.ts';
import type {HandleContext} from './context.ts';
import {showMatch} from './jump.ts';
import {lendTerminal} from './lend-terminal.ts';
import {runRequest} from './requests.ts';

type ModeOf<Kind extends Mode['kind']> = Extract<Mode, {kind: Kind}>;

/** Where every press goes: to the box that is open, else through the key table. */
export const handlePress = (context: HandleContext, press: Press): void => {
	const {store} = context;
	if (press.kind === 'key' && press.name === 'ctrl+c') return handlers.interrupt(context);
	const {mode} = store.getState();
	switch (mode.kind) {
		case 'form':
			return pressForm(context, mode.form, press);
		case 'filter':
			return pressFilter(context, mode, press);
		case 'palette':
			return pressPalette(context, mode, press);
		case 'help':
			return press.kind === 'key' ? store.dispatch(setMode(browsing)) : undefined;
		case 'details':
			return pressDetails(context, mode, press);
		case 'browse':
			return browse(context, press);
	}
};

const browse = (context: HandleContext, press: Press): void => {
	const {store} = context;
	if (press.kind === 'wheel' || press.kind === 'click') return point(context, press);
	if (press.kind !== 'key') return;
	store.dispatch(readToast);
	const resolved = resolveKey(press.name, store.getState());
	if (resolved?.kind === 'action') handlers[resolved.action](context);
	if (resolved?.kind === 'blocked') store.dispatch(say(resolved.reason, 'info'));
};

const pressForm = (context: HandleContext, form: Form, press: Press): void => {
	const {store, world} = context;
	const step = stepForm(form, press, world.now());
	if ('next' in step) return store.dispatch(setMode({kind: 'form', form: step.next}));
	if ('cancelled' in step) return store.dispatch(setMode(browsing));
	if ('submitted' in step) return void runRequest(context, step.submitted);
	void editField(context, form, step.edit);
};

const editField = async (
	context: HandleContext,
	form: Form,
	field: Form['fields'][number],
): Promise<void> => {
	const {store, world} = context;
	const text = await lendTerminal(context, () => world.edit(field.input.text));
	if (text === undefined) return;
	const clean = text.trim().replaceAll(/\s*\n\s*/g, ' ');
	const input = {text: clean, cursor: clean.length};
	store.dispatch(changeForm(form.openedAt, open => withField(open, {...field, input})));
};

const pressFilter = ({store}: HandleContext, {list}: ModeOf<'filter'>, press: Press): void => {
	if (press.kind === 'key' && press.name === 'enter') {
		store.dispatch(setMode(browsing));
		return list === 'text' ? showMatch(store) : undefined;
	}
	if (press.kind === 'key' && press.name === 'esc') {
		store.dispatch(setFilter(list, ''));
		return store.dispatch(setMode(browsing));
	}
	const state = store.getState();
	const text = filterText(state, list);
	const edited = editText({text, cursor: text.length}, press);
	if (edited) store.dispatch(setFilter(list, edited.text));
};

const filterText = (state: State, list: ModeOf<'filter'>['list']): string =>
	list === 'text' ? state.search : (state.filters[list] ?? '');

const pressPalette = (context: HandleContext, mode: ModeOf<'palette'>, press: Press): void => {
	const {store} = context;
	if (press.kind !== 'key') return;
	const rows = paletteRows(store.getState(), mode.text);
	const step = press.name === 'up' ? -1 : press.name === 'down' ? 1 : 0;
	if (press.name === 'esc') return store.dispatch(setMode(browsing));
	if (press.name === 'enter') return runPalette(context, rows[mode.selected]?.binding);
	if (step !== 0) {
		const selected = Math.min(rows.length - 1, Math.max(0, mode.selected + step));
		return store.dispatch(setMode({...mode, selected}));
	}
	const edited = editText({text: mode.text, cursor: mode.text.length}, press);
	if (edited) store.dispatch(setMode({kind: 'palette', text: edited.text, selected: 0}));
};

const runPalette = (
	context: HandleContext,
	binding: ReturnType<typeof paletteRows>[number]['binding'] | undefined,
): void => {
	if (!binding) return;
	context.store.dispatch(setMode(browsing));
	const resolved = resolveAction(binding, context.store.getState());
	if (resolved.kind === 'action') handlers[resolved.action](context);
	else context.store.dispatch(say(resolved.reason, 'info'));
};

const pressDetails = ({store, screen}: HandleContext, mode: ModeOf<'details'>, press: Press): void => {
	if (press.kind !== 'key') return;
	const steps: Readonly<Record<string, number>> = {up: -1, k: -1, down: 1, j: 1, pgup: -15, pgdn: 15};
	const step = steps[press.name];
	if (press.name === 'y') {
		screen.copy(mode.lines.map(content => content.map(({text}) => text).join('')).join('\n'));
		return store.dispatch(say('Copied.', 'info'));
	}
	if (step === undefined) return store.dispatch(setMode(browsing));
	const top = Math.min(mode.lines.length - 1, Math.max(0, mode.top + step));
	store.dispatch(setMode({...mode, top}));
};

/** The wheel moves in the pane under it, a click focuses it. */
const point = ({store}: HandleContext, press: Extract<Press, {kind: 'wheel' | 'click'}>): void => {
	const pane = paneAt(store.getState(), press.column, press.row);
	if (!pane) return;
	store.dispatch(focusPane(pane));
	if (press.kind === 'wheel') store.dispatch(move(press.rows));
};

const firstPaneRow = 2;

const paneAt = (state: State, column: number, row: number) => {
	let top = firstPaneRow;
	for (const band of layoutOf(state).bands) {
		const height = band[0]?.area.height ?? 0;
		let left = 0;
		for (const {pane, area} of band) {
			if (row >= top && row < top + height && column >= left && column < left + area.width) return pane;
			left += area.width;
		}
		top += height;
	}
	return undefined;
};
