import {stepForm} from '../forms/step-form.ts';
import {areaTextWidth} from '../forms/text-area.ts';
import {inputOf} from '../forms/text-input.ts';
import type {Press} from '../keys/press.ts';
import {type Form, withField} from '../store/form.ts';
import {fieldWidth} from '../store/layout.ts';
import {changeForm, setMode} from '../store/mode-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {runRequest} from './requests.ts';

/** Applies a press to a form: fills it in, cancels it, or submits it. */
export const pressForm = (context: HandleContext, press: Press, {form}: ModeOf<'form'>): void => {
	const {store, world} = context;
	if (press.kind === 'wheel' || press.kind === 'click') return;
	const width = areaTextWidth(fieldWidth(store.getState().size));
	const step = stepForm(form, press, {now: world.now(), width});
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
	const whole = text.trim();
	const input = inputOf(field.multiline ? whole : whole.replaceAll(/\s*\n\s*/g, ' '));
	store.dispatch(changeForm(form.openedAt, open => withField(open, {...field, input})));
};
