import {errorMessage} from '../domain/error-message.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {flagKeyOf} from '../host/actions/command-line.ts';
import type {InputField} from '../host/actions/input-fields.ts';
import type {CommandContext} from './command-context.ts';
import {formatDefault} from './flags.ts';
import {readText} from './read-text.ts';

/** Builds the input of an action from the values of its flags. A file that a flag names is read as JSON. */
export const readInput = async (
	fields: readonly InputField[],
	values: Readonly<Record<string, unknown>>,
	commandContext: Pick<CommandContext, 'cwd' | 'stdin'>,
): Promise<Outcome<Readonly<Record<string, unknown>>>> => {
	const input: Record<string, unknown> = {};
	for (const {name, kind} of fields) {
		const flag = flagKeyOf(name);
		const value = values[flag];
		if (kind === 'document' && typeof value === 'string') {
			const document = await readDocument(flag, value, commandContext);
			if (!document.ok) return document;
			input[name] = document.value;
		} else input[name] = value;
	}
	return accepted(input);
};

const readDocument = async (
	flag: string,
	file: string,
	commandContext: Pick<CommandContext, 'cwd' | 'stdin'>,
): Promise<Outcome<unknown>> => {
	const source = await readText(file, commandContext);
	if (!source.ok) return source;
	try {
		return accepted(JSON.parse(source.value));
	} catch (error) {
		return refuse('invalid_json', {
			message: `The input of ${formatDefault(flag)} is not JSON: ${errorMessage(error)}`,
		});
	}
};
