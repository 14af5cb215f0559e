import type {Typed} from '../keys/typed.ts';
import {
	buttonsAt,
	type Choices,
	type Field,
	type Form,
	isDeaf,
	type Submission,
	type TextInput,
	withField,
} from '../store/form.ts';
import {submit} from './submit.ts';
import {editArea} from './text-area.ts';
import {editLine} from './text-input.ts';

type FormStep =
	| {readonly next: Form}
	| {readonly cancelled: true}
	| {readonly submitted: Submission}
	/** Ctrl+G on this field: edit it in the editor. */
	| {readonly edit: Field};

/**
 * Applies a key press to the form. `width` is the columns of its text fields. Enter submits only from a
 * control that the person moved to, or from a filled line. Arrows stay within their control.
 */
export const stepForm = (form: Form, press: Typed, {now, width}: {now: number; width: number}): FormStep => {
	const field = form.fields[form.focus];
	// During the first moments only text counts: typed text is not lost, and a key meant for the previous
	// screen has no other effect.
	if (isDeaf(form, now) || press.kind !== 'key')
		return {next: field ? typeInto(form, field, press, width) : form};
	if (press.name === 'esc') return leave(form);
	if (press.name === 'tab') return {next: nextControl(form, 1)};
	if (press.name === 'shift+tab') return {next: nextControl(form, -1)};
	if (press.name === 'ctrl+d' && form.fields.some(({multiline}) => multiline)) return pushFirst(form);
	if (field === undefined) return stepOutside(form, press.name);
	if (press.name === 'ctrl+g') return {edit: field};
	if (!field.multiline) {
		if (press.name === 'enter') return pushFirst(form);
		if (press.name === 'up' || press.name === 'down')
			return {next: betweenFields(form, press.name === 'up' ? -1 : 1)};
	}
	return {next: typeInto(form, field, press, width)};
};

const typeInto = (form: Form, field: Field, press: Typed, width: number): Form => {
	const input = edited(field, press, width);
	return input === undefined ? form : withField(form, {...field, input});
};

const edited = ({input, multiline}: Field, press: Typed, width: number): TextInput | undefined =>
	multiline ? editArea(input, press, width) : editLine(input, press);

const isUnwritten = ({input, initial = ''}: Field): boolean => input.text.trim() === initial.trim();

/** Discards text only at the second Esc in a row. */
const leave = (form: Form): FormStep =>
	form.isLeaving || form.fields.every(isUnwritten)
		? {cancelled: true}
		: {next: {...form, isLeaving: true, notice: 'Esc again throws away what you wrote.'}};

const nextControl = (form: Form, step: number): Form =>
	refocus(form, wrapped(form.focus + step, buttonsAt(form) + form.buttons.length));

const betweenFields = (form: Form, step: number): Form =>
	form.fields[form.focus + step] === undefined ? form : refocus(form, form.focus + step);

/** Handles a key in the choices or on a button. */
const stepOutside = (form: Form, name: string): FormStep => {
	const {choices, focus, buttons} = form;
	const named = buttons.find(({key}) => key === name);
	if (named !== undefined) return submit(form, named);
	const step = Object.hasOwn(steps, name) ? (steps[name] ?? 0) : 0;
	const first = buttonsAt(form);
	if (choices && focus < first)
		return name === 'enter' ? pushFirst(form) : {next: choose(form, choices, step)};
	if (step !== 0) return {next: refocus(form, first + wrapped(focus - first + step, buttons.length))};
	const pushed = name === 'enter' ? buttons[focus - first] : undefined;
	if (pushed === undefined) return {next: form};
	return pushed === buttons[0] ? leave(form) : submit(form, pushed);
};

const steps: Readonly<Record<string, number>> = {
	...{up: -1, left: -1, k: -1, h: -1},
	...{down: 1, right: 1, j: 1, l: 1, space: 1},
};

const pushFirst = (form: Form): FormStep => {
	const [, first] = form.buttons;
	return first ? submit(form, first) : {next: form};
};

const wrapped = (position: number, count: number): number => (position + count) % count;

/** Without a chosen option, the first step chooses the first or the last one. */
const moved = ({selected, options}: Choices, step: number): number => {
	if (step === 0) return selected;
	const from = selected < 0 && step < 0 ? 0 : selected;
	return wrapped(from + step, options.length);
};

const refocus = (form: Form, focus: number): Form => ({...form, focus, isLeaving: false, notice: ''});

const choose = (form: Form, choices: Choices, step: number): Form => ({
	...form,
	choices: {...choices, selected: moved(choices, step)},
	isLeaving: false,
	notice: '',
});
