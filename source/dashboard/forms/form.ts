import type {ActionId} from '../../host/actions/table.ts';
import type {Press} from '../keys/press.ts';
import type {Line} from '../parts/line.ts';
import {editText, type TextInput} from './text-input.ts';

/**
 * A line of text the form asks for, named as the action's input has it. `wanted` must be typed exactly, and is no input;
 * `required` refuses an empty one.
 */
export type Field = {
	readonly name: string;
	readonly label: string;
	readonly input: TextInput;
	readonly wanted?: string;
	readonly required?: string;
};

/** Named by its label. */
export type Option = {
	/** As the action's input has it, where that is not the name of them all. */
	readonly name?: string;
	readonly label: string;
	readonly value: string | number;
	readonly note?: string;
};

type Choices = {
	/** As the action's input has it. */
	readonly name: string;
	/** With a note they stand below each other. */
	readonly options: readonly Option[];
	readonly selected: number;
};

/** The first button is always Cancel. `key` presses it from anywhere outside a text field. */
export type Button = {
	readonly label: string;
	readonly key?: string;
	readonly value: string;
	/** What pressing this one adds to the input. */
	readonly input?: Input;
};

export type Input = Readonly<Record<string, unknown>>;

/** What submitting asks for. The subject is frozen in the input: a refresh cannot move it. */
export type Request = {readonly action: ActionId; readonly input: Input} | {readonly action: 'quit'};

export type Form = {
	/** UTC milliseconds; also what tells one form from the next. */
	readonly openedAt: number;
	readonly title: string;
	readonly lines: readonly Line[];
	readonly fields: readonly Field[];
	readonly choices?: Choices;
	readonly buttons: readonly Button[];
	/** Index into fields, then choices, then buttons. */
	readonly focus: number;
	readonly request: Request;
	/** Nothing can be submitted yet, or any more. */
	readonly busy: boolean;
	/** Why the last try was refused. */
	readonly notice: string;
};

/** The request with all that was filled in, and the button that was pressed. */
export type Submission = {readonly request: Request; readonly button: string};

export type FormStep =
	| {readonly next: Form}
	| {readonly cancelled: true}
	| {readonly submitted: Submission}
	/** Ctrl+G on this field. */
	| {readonly edit: Field};

/** Keys this soon after opening were meant for what was there before. */
const deafTime = 200;

/** What a press makes of the form. Enter confirms only where a person moved to, or in a field that is filled in. */
export const stepForm = (form: Form, press: Press, now: number): FormStep => {
	if (now - form.openedAt < deafTime) return {next: form};
	if (press.kind === 'key' && press.name === 'esc') return {cancelled: true};
	const field = form.fields[form.focus];
	if (field && press.kind === 'key' && press.name === 'ctrl+g') return {edit: field};
	const edited = field && !moves.has(nameOf(press)) ? editText(field.input, press) : undefined;
	if (field && edited) return {next: withField(form, {...field, input: edited})};
	return press.kind === 'key' ? stepKey(form, press.name) : {next: form};
};

export const withField = (form: Form, field: Field): Form => ({
	...form,
	fields: form.fields.map(other => (other.name === field.name ? field : other)),
	notice: '',
});

const moves = new Set(['up', 'down', 'tab', 'shift+tab', 'enter']);
const nameOf = (press: Press): string => (press.kind === 'key' ? press.name : '');

const stepKey = (form: Form, name: string): FormStep => {
	const firstButton = form.fields.length + (form.choices ? 1 : 0);
	if (name === 'enter') return enter(form, firstButton);
	if (name === 'tab' || name === 'down') return {next: refocus(form, 1)};
	if (name === 'shift+tab' || name === 'up') return {next: refocus(form, -1)};
	if (name === 'left' || name === 'right' || name === 'space') {
		const step = name === 'left' ? -1 : 1;
		if (form.choices && form.focus === form.fields.length) return {next: choose(form, form.choices, step)};
		return {next: name === 'space' ? form : refocus(form, step)};
	}
	const pressed = form.buttons.find(({key}) => key === name);
	return pressed ? push(form, pressed) : {next: form};
};

const enter = (form: Form, firstButton: number): FormStep => {
	const button = form.buttons[form.focus < firstButton ? 1 : form.focus - firstButton];
	if (!button) return {next: form};
	return button === form.buttons[0] ? {cancelled: true} : push(form, button);
};

const push = (form: Form, button: Button): FormStep => {
	const problem = form.busy ? 'One moment.' : form.fields.map(problemOf).find(Boolean);
	if (problem) return {next: {...form, notice: problem}};
	return {
		submitted: {request: filledIn(form, button), button: button.value},
	};
};

const filledIn = ({request, fields, choices}: Form, button: Button): Request => {
	if (request.action === 'quit') return request;
	const texts = fields
		.filter(({wanted, input}) => wanted === undefined && input.text.trim() !== '')
		.map(({name, input}) => [name, input.text.trim()]);
	const chosen = choices?.options[choices.selected];
	const choice = chosen === undefined ? [] : [[chosen.name ?? choices?.name, chosen.value]];
	return {
		...request,
		input: {...request.input, ...Object.fromEntries([...texts, ...choice]), ...button.input},
	};
};

const problemOf = ({input, wanted, required}: Field): string | undefined => {
	if (wanted !== undefined && input.text !== wanted) return `Type ${wanted} to confirm.`;
	return required !== undefined && input.text.trim() === '' ? required : undefined;
};

const refocus = (form: Form, step: number): Form => {
	const count = form.fields.length + (form.choices ? 1 : 0) + form.buttons.length;
	return {...form, focus: (form.focus + step + count) % count};
};

const choose = (form: Form, choices: Choices, step: number): Form => {
	const count = choices.options.length;
	return {...form, choices: {...choices, selected: (choices.selected + step + count) % count}};
};
