import {parseArgs} from 'node:util';
import type {Detail} from '../domain/errors.ts';
import {nearestName} from '../domain/nearest.ts';
import {type Flag, type Flags, formatDefault} from './flags.ts';

/** The words of a command line, sorted but not parsed. */
export type ParsedArguments = {
	/** By declared name; booleans as `true` or `false`. */
	readonly flags: Readonly<Record<string, readonly string[]>>;
	/** Positional arguments. */
	readonly words: readonly string[];
	/** Flags that are unknown or lack their value. */
	readonly problems: readonly Detail[];
};

/**
 * Sorts the words after a command's name into flags and arguments. A flag may occur more than once; the
 * caller decides whether that is allowed.
 */
export const readArgv = (argv: readonly string[], declared: Flags): ParsedArguments => {
	const names = new Map(Object.keys(declared).map(name => [formatDefault(name).slice(2), name]));
	const options = Object.fromEntries(
		[...names].map(([spelling, name]) => [spelling, parserOption(declared[name])]),
	);
	const {tokens} = parseArgs({args: [...argv], options, strict: false, allowPositionals: true, tokens: true});
	const flags: Record<string, string[]> = {};
	const words: string[] = [];
	const problems: Detail[] = [];
	let numberAt = -1;
	for (const token of tokens) {
		if (token.kind === 'positional') words.push(token.value);
		if (token.kind !== 'option') continue;
		const word = argv[token.index] ?? '';
		if (isNegative(word)) {
			// Node's parser returns each digit of a negative number as a flag.
			if (token.index !== numberAt) words.push(word);
			numberAt = token.index;
			continue;
		}
		const isOff = token.name.startsWith('no-') && !names.has(token.name);
		const name = names.get(isOff ? token.name.slice(3) : token.name);
		const flag = name === undefined ? undefined : declared[name];
		if (name === undefined || flag === undefined || (isOff && flag.kind !== 'boolean')) {
			problems.push(unknownFlag(token.rawName, declared));
			continue;
		}
		const value = flag.kind === 'boolean' ? String(!isOff && token.value !== 'false') : token.value;
		if (value === undefined || (!token.inlineValue && flag.kind !== 'boolean' && looksLikeFlag(value))) {
			problems.push(withoutValue(token.rawName));
			continue;
		}
		flags[name] = [...(flags[name] ?? []), value];
	}
	return {flags, words, problems};
};

const parserOption = (flag: Flag | undefined) => ({
	type: flag?.kind === 'boolean' ? ('boolean' as const) : ('string' as const),
	multiple: true,
	...(flag?.short === undefined ? {} : {short: flag.short}),
});

/** No flag is a digit. */
const isNegative = (word: string): boolean => /^-\d+$/.test(word);

/**
 * A word that looks like a flag is no value: the value was forgotten. A lone dash or a negative number is a
 * value.
 */
const looksLikeFlag = (value: string): boolean => value === '--' || /^--?[a-z][\w-]*(=|$)/i.test(value);

const withoutValue = (flag: string): Detail => ({
	path: flag,
	message: 'needs a value',
	hint: `Write ${flag}=<value> when the value starts with a dash.`,
});

const unknownFlag = (flag: string, declared: Flags): Detail => {
	const close = nearestName(flag, Object.keys(declared).map(formatDefault));
	return {
		path: flag,
		message: 'is not a flag of this command',
		hint: close === undefined ? undefined : `Did you mean ${close}?`,
	};
};
