import {parseDuration} from '../domain/duration.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {LiveList} from '../host/completion-values.ts';

/** Kind of values that a shell can offer for a flag. */
type Completion = LiveList | 'files' | 'folders';

export type FlagOptions = {
	/** One sentence. */
	readonly summary: string;
	/** Placeholder of the value in usage: `<id>`. */
	readonly hint?: string;
	/** One letter. */
	readonly short?: string;
	readonly required?: boolean;
	readonly complete?: Completion;
};

/**
 * Parses a written value. The refusal's message is printed after the flag's name: `must be a whole number`.
 */
type Read<Value> = (formatDefault: string) => Outcome<Value>;

/** A flag or a positional argument of a command. */
export type Flag<Value = unknown> = FlagOptions & {
	readonly kind: 'text' | 'integer' | 'number' | 'choice' | 'boolean' | 'duration';
	readonly repeatable?: boolean;
	readonly choices?: readonly string[];
	/** For a boolean: on unless `--no-<name>` is given. */
	readonly initially?: boolean;
	/** For a boolean: neither on nor off unless it is given, with or without `no-`. */
	readonly undecided?: boolean;
	readonly read: Read<Value>;
};

/** By name, in the order of the usage. Camel-case names are written with dashes on the command line. */
export type Flags = Readonly<Record<string, Flag>>;

/**
 * The value that a command gets. A repeatable flag gives a list. A boolean flag always gives a boolean,
 * unless it is undecided. Any other flag gives a value only if it is given or required.
 */
type ValueOf<Declared> = Declared extends {read: Read<infer Value>}
	? Declared extends {kind: 'boolean'}
		? Declared extends {undecided: true}
			? boolean | undefined
			: boolean
		: Declared extends {repeatable: true}
			? readonly Value[]
			: Declared extends {required: true}
				? Value
				: Value | undefined
	: never;

export type Values<Declared> = {readonly [Name in keyof Declared]: ValueOf<Declared[Name]>};

export const text = <const Options extends FlagOptions>(options: Options) => ({
	...options,
	kind: 'text' as const,
	read: (formatDefault: string) => accepted(formatDefault),
});

/** Text that may be given more than once. */
export const repeatable = <const Options extends FlagOptions>(options: Options) => ({
	...text(options),
	repeatable: true as const,
});

/** On if given. With `initially: true` it is on unless `--no-<name>` is given, and usage shows that form. */
export const boolean = <const Options extends FlagOptions & {initially?: boolean}>(options: Options) => ({
	...options,
	kind: 'boolean' as const,
	read: (formatDefault: string) => accepted(formatDefault === 'true'),
});

/** A boolean that is undefined unless it is given, as `--<name>` or `--no-<name>`. */
export const decision = <const Options extends FlagOptions>(options: Options) => ({
	...boolean(options),
	undecided: true as const,
});

/** A whole number from `least` to `most`, both inclusive. */
export const integer = <const Options extends FlagOptions & {min?: number; max?: number}>(
	options: Options,
) => ({
	...options,
	kind: 'integer' as const,
	read: (formatDefault: string): Outcome<number> => {
		const value = Number(formatDefault);
		const {min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER} = options;
		if (!/^[+-]?\d+$/.test(formatDefault)) return refuse('usage', {message: 'must be a whole number'});
		if (value < min) return refuse('usage', {message: `must be ${min} or more`});
		if (value > max) return refuse('usage', {message: `must be ${max} or less`});
		return accepted(value);
	},
});

/** A number greater than zero, with or without decimals, up to and including `most`. */
export const decimal = <const Options extends FlagOptions & {max?: number}>(options: Options) => ({
	...options,
	kind: 'number' as const,
	read: (formatDefault: string): Outcome<number> => {
		const {max = 1_000_000_000} = options;
		const value = Number(formatDefault);
		if (!/^\d*\.?\d+$/.test(formatDefault) || value <= 0)
			return refuse('usage', {message: 'must be a number above 0, such as 2.50'});
		return value > max ? refuse('usage', {message: `must be ${max} or less`}) : accepted(value);
	},
});

/** One of the listed words. */
export const choice = <
	const Choices extends readonly string[],
	const Options extends FlagOptions & {choices: Choices},
>(
	options: Options & {choices: Choices},
) => ({
	...options,
	kind: 'choice' as const,
	read: (formatDefault: string): Outcome<Choices[number]> => {
		const chosen = options.choices.find(word => word === formatDefault);
		return chosen === undefined
			? refuse('usage', {message: `must be one of ${options.choices.join(', ')}`})
			: accepted(chosen);
	},
});

/** `500ms`, `90s`, `5m`, `2h`, `30d`; the command gets milliseconds. */
export const duration = <const Options extends FlagOptions>(options: Options) => ({
	...options,
	kind: 'duration' as const,
	read: (formatDefault: string): Outcome<number> => {
		const milliseconds = parseDuration(formatDefault);
		return milliseconds === undefined
			? refuse('usage', {message: 'must be a duration such as 90s, 5m or 2h'})
			: accepted(milliseconds);
	},
});

/** `dependsOn` is written `--depends-on`. */
export const formatDefault = (name: string): string =>
	`--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

/** The spelling in usage and completion. */
export const formatFlag = (name: string, {initially}: Flag): string =>
	initially === true ? `--no-${formatDefault(name).slice(2)}` : formatDefault(name);

/** Every spelling of the flags that take a value. */
export const namesWithValue = (flags: Flags): Set<string> =>
	new Set(
		Object.entries(flags)
			.filter(([, {kind}]) => kind !== 'boolean')
			.flatMap(([name, {short}]) => [formatDefault(name), ...(short === undefined ? [] : [`-${short}`])]),
	);

/** The placeholder of the value in usage; empty for a boolean. */
export const valueHint = ({kind, hint, choices}: Flag): string => {
	if (hint !== undefined) return hint;
	const hints = {
		text: '<text>',
		integer: '<n>',
		number: '<n>',
		duration: '<duration>',
		choice: (choices ?? []).join('|'),
		boolean: '',
	};
	return hints[kind];
};

/** Flags of every command. */
export const commonFlags = {
	json: boolean({summary: 'Print one JSON document (streams: one per line) instead of text.'}),
	path: text({
		summary: 'Use the colony of this folder.',
		hint: '<dir>',
		short: 'C',
		complete: 'folders',
	}),
	color: choice({
		summary: 'Colour the text; auto follows NO_COLOR and the terminal.',
		choices: ['auto', 'always', 'never'],
	}),
	help: boolean({summary: 'Show how the command is used.', short: 'h'}),
};
