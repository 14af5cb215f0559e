import {type Action, fieldNotes} from './action.ts';

/**
 * Returns a flag's name in camel case: the field's name without a final `Id`, such as `trace` for `traceId`.
 */
export const flagKeyOf = (field: string): string => field.replace(/Id$/, '');

/**
 * Returns a command line for the action. Fields without notes, which only programs set, are left out. A list
 * of objects becomes the name of a file, `<field>.json`.
 */
export const commandLineOf = (
	{id, command = id.replaceAll('.', ' '), input}: Pick<Action, 'id' | 'command' | 'input'>,
	values: Readonly<Record<string, unknown>>,
): string => {
	const flags = Object.entries(input.shape).flatMap(([name, schema]) => {
		const value = values[name];
		const notes = fieldNotes.get(schema);
		if (notes === undefined || value === undefined || value === '') return [];
		const flag = flagKeyOf(name).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
		if (Array.isArray(value) && value.some(item => typeof item === 'object'))
			return [`--${flag} ${name}.json`];
		if (typeof value !== 'boolean') return [formatFlag(`--${flag}`, String(value))];
		if (value === (notes.turnedOff !== undefined)) return [];
		return [value ? `--${flag}` : `--no-${flag}`];
	});
	return ['hive', command, ...flags].join(' ');
};

/** A value that begins with a dash would be read as a flag, so it follows `=`. */
const formatFlag = (flag: string, value: string): string =>
	value.startsWith('-') ? `${flag}=${shellQuote(value)}` : `${flag} ${shellQuote(value)}`;

/** Quotes a word for a shell, if needed. */
const shellQuote = (word: string): string =>
	/^[\w@%+=:,./\u2026-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
