import {type Form, stepForm, withField} from '../forms/form.ts';
import type {Press} from '../keys/press.ts';
import {changeForm, setMode} from '../store/changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {runRequest} from './requests.ts';

/** Fills in a form, cancels it, or does what it asks for. */
export const pressForm = (context: HandleContext, press: Press, {form}: ModeOf<'form'>): void => {
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
