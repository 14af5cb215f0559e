import {accepted, type Outcome} from '../domain/errors.ts';
import type {Action} from '../host/actions/action.ts';
import {chooseTask} from '../host/actions/choose-task.ts';
import {flagKeyOf} from '../host/actions/command-line.ts';
import {type InputField, inputFields} from '../host/actions/input-fields.ts';
import {type Command, command} from './command.ts';
import {boolean, choice, decimal, type Flag, integer, repeatable, text} from './flags.ts';
import {readInput} from './read-input.ts';

/** Returns the command of an action in the table. Its flags are the fields that people fill in. */
export const actionCommand = ({id, shape, run, examples, description, ...action}: Action): Command => {
	const fields = inputFields(action).map(field =>
		field.name === 'taskId' && action.fitsTask ? {...field, ...chosenTask} : field,
	);
	return command({
		path: id.replaceAll('.', ' '),
		summary: action.summary,
		...(description === undefined ? {} : {description}),
		...(examples === undefined ? {} : {examples}),
		json: shape,
		flags: Object.fromEntries(fields.map(field => [flagKeyOf(field.name), flagOf(field)])),
		run: async (values, commandContext) => {
			const given = await readInput(fields, values, commandContext);
			if (!given.ok) return given;
			const {signal} = commandContext;
			const context = withSignal(await commandContext.open(), signal);
			const input = await withTask(context, {id, ...action}, given.value);
			if (!input.ok) return input;
			const done = await run(context, input.value);
			if (!done.ok) return done;
			const {value, sentences} = done.value;
			return accepted({json: Object(value), text: sentences.join('\n')});
		},
	});
};

const chosenTask = {required: false, summary: 'Task to act on; may be left out if only one fits.'};

const withTask = async (
	context: Parameters<typeof chooseTask>[0],
	action: Pick<Action, 'id' | 'fitsTask'>,
	input: Readonly<Record<string, unknown>>,
): Promise<Outcome<Readonly<Record<string, unknown>>>> => {
	const {traceId, taskId} = input;
	if (action.fitsTask === undefined || taskId !== undefined || typeof traceId !== 'string')
		return accepted(input);
	const chosen = await chooseTask(context, action, traceId);
	return chosen.ok ? accepted({...input, taskId: chosen.value}) : chosen;
};

/** A copy whose waits the signal ends. The descriptors are copied, since `colony` is a getter. */
const withSignal = <Context extends object>(context: Context, signal: AbortSignal): Context =>
	Object.defineProperties({} as Context, {
		...Object.getOwnPropertyDescriptors(context),
		signal: {value: signal, enumerable: true},
	});

const flagOf = (field: InputField): Flag => {
	const {name: _, kind, required, least, most, choices = [], initially = false, turnedOff, ...notes} = field;
	const options = required ? {...notes, required} : notes;
	switch (kind) {
		case 'boolean':
			return turnedOff === undefined ? boolean(notes) : boolean({...notes, summary: turnedOff, initially});
		case 'integer':
			return integer({
				...options,
				...(least === undefined ? {} : {min: least}),
				...(most === undefined ? {} : {max: most}),
			});
		case 'number':
			return decimal({...options, ...(most === undefined ? {} : {max: most})});
		case 'choice':
			return choice({...options, choices});
		case 'list':
			return repeatable(options);
		case 'text':
		case 'document':
			return text(options);
	}
};
