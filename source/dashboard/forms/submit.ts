import {
	type Button,
	type Choices,
	type Field,
	type Form,
	type Input,
	type Request,
	type Submission,
	withField,
} from '../store/form.ts';

/** Returns the submission of a button, or the form with the reason why it cannot be submitted. */
export const submit = (
	form: Form,
	button: Button,
): {readonly next: Form} | {readonly submitted: Submission} => {
	if (form.busy) return {next: {...form, notice: 'One moment.'}};
	if (button.form !== undefined) return {next: withTextsOf(form, button.form)};
	const field = form.fields.find(each => findProblem(each, form.choices) !== undefined);
	// Moves the focus to the field with the problem.
	if (field !== undefined)
		return {
			next: {
				...withField(form, field),
				notice: findProblem(field, form.choices) ?? '',
				focus: form.fields.indexOf(field),
			},
		};
	return {submitted: {request: fillIn(form, button), button: button.value}};
};

/** Keeps what the person wrote in the fields that both forms have. */
const withTextsOf = ({fields}: Form, next: Form): Form => ({
	...next,
	fields: next.fields.map(field => {
		const input = fields.find(({name, initial}) => name === field.name && initial === field.initial)?.input;
		return input === undefined ? field : {...field, input};
	}),
});

const fillIn = ({request, fields, choices}: Form, button: Button): Request => {
	if (button.request) return button.request;
	if (!('input' in request)) return request;
	const texts = fields
		.filter(({input}) => input.text.trim() !== '')
		.map(({name, input}): Named => [name, input.text.trim()]);
	const choice = chosenOption(choices);
	return {
		...request,
		input: {
			...request.input,
			...Object.fromEntries(choice),
			...nested(withTexts(choice, texts)),
			...button.input,
		},
	};
};

/** `params.model` is the field `model` of the input `params`. */
const nested = (input: Input): Input => {
	const result: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(input)) {
		const [outer = '', inner] = name.split('.');
		result[outer] = inner === undefined ? value : {...Object(result[outer]), [inner]: value};
	}
	return result;
};

const chosenOption = (choices: Choices | undefined): readonly Named[] => {
	const chosen = choices?.options[choices.selected];
	return choices === undefined || chosen === undefined ? [] : [[chosen.name ?? choices.name, chosen.value]];
};

/** A chosen option precedes the text of the same input. */
const withTexts = (choice: readonly Named[], texts: readonly Named[]): Input =>
	Object.fromEntries(
		texts.map(([name, text]) => {
			const [, option] = choice.find(([chosen]) => chosen === name) ?? [];
			return [name, option === undefined ? text : `${option}: ${text}`];
		}),
	);

type Named = readonly [name: string, value: string | number];

/** A field may be empty if an option of the same input was chosen. */
const findProblem = ({name, input, required}: Field, choices: Choices | undefined): string | undefined => {
	if (chosenOption(choices).some(([chosen]) => chosen === name)) return undefined;
	return required !== undefined && input.text.trim() === '' ? required : undefined;
};
