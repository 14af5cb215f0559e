import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {nearestName} from '../domain/nearest.ts';
import type {CommandGroup} from './command.ts';
import {commonFlags, namesWithValue} from './flags.ts';
import {commandSynonyms, shortForms} from './short-forms.ts';

/** The command that `hive` alone runs. */
const bareCommand = 'dashboard';

/** The named command, and the command line without its name. */
export type Route = {readonly path: string; readonly rest: readonly string[]};

export const pathsOf = (groups: readonly CommandGroup[]): string[] =>
	groups.flatMap(({commands}) => Object.keys(commands));

/**
 * Finds the command that a command line names: the longest sequence of leading words that is one. Only common
 * flags may come before it.
 */
export const findCommand = (argv: readonly string[], paths: readonly string[]): Outcome<Route> => {
	const start = firstWord(argv);
	const words = takeLeadingWords(argv.slice(start));
	const full = fullForm(words[0], paths);
	if (full !== undefined) return accepted({path: full, rest: argv.toSpliced(start, 1)});
	for (let length = words.length; length > 0; length--) {
		const path = words.slice(0, length).join(' ');
		if (paths.includes(path)) return accepted({path, rest: argv.toSpliced(start, length)});
	}
	const withoutHelp = argv.filter(word => word !== '--help' && word !== '-h');
	const wantsHelp = withoutHelp.length < argv.length;
	const below = paths.filter(path => path.startsWith(`${words[0]} `));
	if (wantsHelp && (words.length === 0 || below.length > 0))
		return accepted({path: 'help', rest: withoutHelp});
	if (words.length === 0) return accepted({path: bareCommand, rest: argv});
	return below.length > 0 && words.length === 1
		? refuse('unknown_command', {
				message: `"hive ${words[0]}" is not a command by itself.`,
				hint: `One of: ${below.map(path => `hive ${path}`).join(', ')}.`,
			})
		: unknownCommand(words.slice(0, below.length > 0 ? 2 : 1).join(' '), paths);
};

/** Returns the command of a short form; undefined if the word is a command itself, or unknown. */
export const fullForm = (word: string | undefined, paths: readonly string[]): string | undefined => {
	const full = word !== undefined && Object.hasOwn(shortForms, word) ? shortForms[word] : undefined;
	return full !== undefined && paths.includes(full) ? full : undefined;
};

/** Refuses, and names the command that was most likely meant. */
export const unknownCommand = (name: string, paths: readonly string[]) => {
	const alias = Object.hasOwn(commandSynonyms, name) ? commandSynonyms[name] : undefined;
	const short = Object.keys(shortForms).filter(word => fullForm(word, paths) !== undefined);
	const near =
		nearestName(name, [...paths, ...short]) ??
		nearestName(name, new Set(paths.map(path => path.split(' ')[0] ?? '')));
	const close = alias ?? fullForm(near, paths) ?? near;
	return refuse('unknown_command', {
		message: `There is no command "hive ${name}".`,
		hint: close === undefined ? 'See "hive help".' : `Did you mean "hive ${close}"? See "hive help".`,
	});
};

/**
 * Index of the first word that is neither a flag that may come before the command, nor the value of one.
 * These are the common flags, and those of `hive` alone.
 */
const firstWord = (argv: readonly string[]): number => {
	const withValue = new Set([...namesWithValue(commonFlags), '--theme']);
	let at = 0;
	while (argv[at]?.startsWith('-')) at += withValue.has(argv[at] ?? '') ? 2 : 1;
	return Math.min(at, argv.length);
};

const takeLeadingWords = (argv: readonly string[]): string[] => {
	const end = argv.findIndex(word => word.startsWith('-'));
	return argv.slice(0, end === -1 ? argv.length : end);
};
