import type {Detail} from '../domain/errors.ts';
import {type Flag, type Flags, formatDefault, valueHint} from './flags.ts';
import type {ParsedArguments} from './read-argv.ts';

/** Parses the values as declared; a refusal has every problem at once. */
export const readValues = (
	flags: Flags,
	positional: Flags,
	given: ParsedArguments,
): {values: Record<string, unknown>; problems: readonly Detail[]} => {
	const values: Record<string, unknown> = {};
	const problems: Detail[] = [...given.problems];
	const take = (name: string, label: string, flag: Flag, texts: readonly string[]): void => {
		const problem = (message: string) => problems.push({path: label, message});
		if (texts.length === 0 && flag.required) problem('is required');
		if (texts.length > 1 && !flag.repeatable) problem('was given more than once');
		const read = texts.map(text => flag.read(text));
		for (const outcome of read) if (!outcome.ok) problem(outcome.refusal.message);
		const taken = read.flatMap(outcome => (outcome.ok ? [outcome.value] : []));
		values[name] = flag.repeatable ? taken : (taken[0] ?? unnamed(flag));
	};
	for (const [name, flag] of Object.entries(flags)) {
		take(name, formatDefault(name), flag, given.flags[name] ?? []);
	}
	const left = [...given.words];
	for (const [name, flag] of Object.entries(positional)) {
		take(name, argumentHint(name, flag), flag, left.splice(0, flag.repeatable ? left.length : 1));
	}
	if (left.length > 0)
		problems.push({
			path: left.join(' '),
			message: left.length === 1 ? 'is one argument too many' : `are ${left.length} arguments too many`,
		});
	return {values, problems};
};

/** The default of a flag that is not on the command line. */
const unnamed = ({kind, undecided, initially}: Flag): boolean | undefined =>
	kind === 'boolean' && undecided !== true ? initially === true : undefined;

/** The placeholder of an argument in usage. */
export const argumentHint = (name: string, flag: Flag): string =>
	flag.hint === undefined && flag.kind === 'text' ? `<${name}>` : valueHint(flag);
