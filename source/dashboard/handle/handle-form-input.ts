import {stepForm} from '../forms/step-form.ts';
import {areaTextWidth} from '../forms/text-area.ts';
import {inputOf} from '../forms/text-input.ts';
import type {InputEvent} from '../keys/input-event.ts';
import {type Form, withField} from '../store/form.ts';
import {fieldWidth} from '../store/layout.ts';
import {changeForm, setMode} from '../store/mode-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {runRequest} from './requests.ts';

/** Applies a press to a form: fills it in, cancels it, or submits it. */
export const handleFormInput = (context: HandleContext, event: InputEvent, {form}: ModeOf<'form'>): void => {
	const {store, world: services} = context;
	if (event.kind === 'wheel' || event.kind === 'click') return;
	const width = areaTextWidth(fieldWidth(store.getState().size));
	const step = stepForm(form, event, {now: services.now(), width});
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
	const {store, world: services} = context;
	const text = await lendTerminal(context, () => services.edit(field.input.text));
	if (text === undefined) return;
	const whole = text.trim();
	const input = inputOf(field.multiline ? whole : whole.replaceAll(/\s*\n\s*/g, ' '));
	store.dispatch(changeForm(form.openedAt, open => withField(open, {...field, input})));
};
