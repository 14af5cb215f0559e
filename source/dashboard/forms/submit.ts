import {type Button, type Field, type Form, type Request, type Submission, withField} from './form.ts';

/** What pressing a button sends, or the form with why it cannot be sent. */
export const submit = (
	form: Form,
	button: Button,
): {readonly next: Form} | {readonly submitted: Submission} => {
	if (form.busy) return {next: {...form, notice: 'One moment.'}};
	const field = form.fields.find(each => problemOf(each) !== undefined);
	// Where it can be mended.
	if (field !== undefined)
		return {
			next: {...withField(form, field), notice: problemOf(field) ?? '', focus: form.fields.indexOf(field)},
		};
	return {submitted: {request: filledIn(form, button), button: button.value}};
};

const filledIn = ({request, fields, choices}: Form, button: Button): Request => {
	if (button.request) return button.request;
	if (!('input' in request)) return request;
	const texts = fields
		.filter(({wanted, input}) => wanted === undefined && input.text.trim() !== '')
		.map(({name, input}) => [name, input.text.trim()]);
	const chosen = choices?.options[choices.selected];
	const choice = chosen === undefined ? [] : [[chosen.name ?? choices?.name, chosen.value]];
	return {
		...request,
		// Of a choice and words for the same input the words count.
		input: {...request.input, ...Object.fromEntries([...choice, ...texts]), ...button.input},
	};
};

const problemOf = ({input, wanted, required}: Field): string | undefined => {
	if (wanted !== undefined && input.text !== wanted) return `Type ${wanted} to confirm.`;
	return required !== undefined && input.text.trim() === '' ? required : undefined;
};
