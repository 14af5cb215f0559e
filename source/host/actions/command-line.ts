import {type Action, fieldNotes} from './action.ts';

/** Returns the flag of an input's field: `traceId` is `--trace`, `mergeMessage` is `--merge-message`. */
export const flagNameOf = (field: string): string => field.replace(/Id$/, '');

/** Returns a command line that does the same as the action. Fields for programs only are left out. */
export const commandLineOf = (
	{id, command = id.replaceAll('.', ' '), input}: Pick<Action, 'id' | 'command' | 'input'>,
	values: Readonly<Record<string, unknown>>,
): string => {
	const flags = Object.entries(input.shape).flatMap(([name, schema]) => {
		const value = values[name];
		const notes = fieldNotes.get(schema);
		if (notes === undefined || value === undefined || value === '') return [];
		const flag = flagNameOf(name).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
		if (Array.isArray(value) && value.some(item => typeof item === 'object'))
			return [`--${flag} ${name}.json`];
		if (typeof value !== 'boolean') return [withValue(`--${flag}`, String(value))];
		if (value === (notes.turnedOff !== undefined)) return [];
		return [value ? `--${flag}` : `--no-${flag}`];
	});
	return ['hive', command, ...flags].join(' ');
};

/** A value that begins with a dash would be read as a flag, so it follows `=`. */
const withValue = (flag: string, value: string): string =>
	value.startsWith('-') ? `${flag}=${quoted(value)}` : `${flag} ${quoted(value)}`;

/** Quotes a word for a shell, if needed. */
const quoted = (word: string): string =>
	/^[\w@%+=:,./\u2026-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
