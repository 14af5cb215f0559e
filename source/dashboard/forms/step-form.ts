import type {KeyboardInput} from '../keys/keyboard-input.ts';
import {
	type Choices,
	type Field,
	type Form,
	firstButtonIndex,
	isInputGuarded,
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
export const stepForm = (
	form: Form,
	event: KeyboardInput,
	{now, width}: {now: number; width: number},
): FormStep => {
	const field = form.fields[form.focus];
	// During the first moments only text counts. Typed text is not lost, and a key meant for the previous
	// screen has no other effect.
	if (isInputGuarded(form, now) || event.kind !== 'key')
		return {next: field ? typeInto(form, field, event, width) : form};
	if (event.name === 'esc') return cancelOrConfirm(form);
	if (event.name === 'tab') return {next: nextControl(form, 1)};
	if (event.name === 'shift+tab') return {next: nextControl(form, -1)};
	if (event.name === 'ctrl+d' && form.fields.some(({multiline}) => multiline)) return pressFirstButton(form);
	const area = form.fields.find(({multiline}) => multiline);
	if (field === undefined && event.name === 'ctrl+g' && area !== undefined) return {edit: area};
	if (field === undefined) return stepOutside(form, event.name);
	if (event.name === 'ctrl+g') return {edit: field};
	if (!field.multiline) {
		if (event.name === 'enter') return pressFirstButton(form);
		if (event.name === 'up' || event.name === 'down')
			return {next: betweenFields(form, event.name === 'up' ? -1 : 1)};
	}
	return {next: typeInto(form, field, event, width)};
};

const typeInto = (form: Form, field: Field, event: KeyboardInput, width: number): Form => {
	const input = edited(field, event, width);
	return input === undefined ? form : withField(form, {...field, input});
};

const edited = ({input, multiline}: Field, event: KeyboardInput, width: number): TextInput | undefined =>
	multiline ? editArea(input, event, width) : editLine(input, event);

const isUnwritten = ({input, initial = ''}: Field): boolean => input.text.trim() === initial.trim();

/** Discards text only at the second Esc in a row. */
const cancelOrConfirm = (form: Form): FormStep =>
	form.isLeaving || form.fields.every(isUnwritten)
		? {cancelled: true}
		: {next: {...form, isLeaving: true, notice: 'Esc again throws away what you wrote.'}};

const nextControl = (form: Form, step: number): Form =>
	refocus(form, wrapIndex(form.focus + step, firstButtonIndex(form) + form.buttons.length));

const betweenFields = (form: Form, step: number): Form =>
	form.fields[form.focus + step] === undefined ? form : refocus(form, form.focus + step);

/** Handles a key in the choices or on a button. */
const stepOutside = (form: Form, name: string): FormStep => {
	const {choices, focus, buttons} = form;
	const named = buttons.find(({key}) => key === name);
	if (named !== undefined) return submit(form, named);
	const step = Object.hasOwn(steps, name) ? (steps[name] ?? 0) : 0;
	const first = firstButtonIndex(form);
	if (choices && focus < first)
		return name === 'enter' ? pressFirstButton(form) : {next: choose(form, choices, step)};
	if (step !== 0) return {next: refocus(form, first + wrapIndex(focus - first + step, buttons.length))};
	const pressedButton = name === 'enter' ? buttons[focus - first] : undefined;
	if (pressedButton === undefined) return {next: form};
	return pressedButton === buttons[0] ? cancelOrConfirm(form) : submit(form, pressedButton);
};

const steps: Readonly<Record<string, number>> = {
	...{up: -1, left: -1, k: -1, h: -1},
	...{down: 1, right: 1, j: 1, l: 1, space: 1},
};

const pressFirstButton = (form: Form): FormStep => {
	const [, first] = form.buttons;
	return first ? submit(form, first) : {next: form};
};

const wrapIndex = (position: number, count: number): number => (position + count) % count;

/** Without a chosen option, the first step chooses the first or the last one. */
const moveChoice = ({selected, options}: Choices, step: number): number => {
	if (step === 0) return selected;
	const from = selected < 0 && step < 0 ? 0 : selected;
	return wrapIndex(from + step, options.length);
};

const refocus = (form: Form, focus: number): Form => ({...form, focus, isLeaving: false, notice: ''});

const choose = (form: Form, choices: Choices, step: number): Form => ({
	...form,
	choices: {...choices, selected: moveChoice(choices, step)},
	isLeaving: false,
	notice: '',
});
