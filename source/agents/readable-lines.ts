import {isRecord} from './json-lines.ts';

/** What a tool call is about is cut to this many characters. */
const longestTarget = 160;

/** A text as lines; none for nothing. */
export const textLines = (text: string): readonly string[] => {
	const trimmed = text.trim();
	return trimmed === '' ? [] : trimmed.split('\n');
};

/** One tool call as a line: its name, and the argument that says most. */
export const toolLine = (name: string, input: unknown): string => {
	const target = targetOf(input);
	return target === '' ? `> ${name}` : `> ${name} ${target}`;
};

const preferred = ['path', 'file_path', 'filePath', 'command', 'pattern', 'query', 'url', 'description'];

const targetOf = (input: unknown): string => {
	if (!isRecord(input)) return '';
	const values = [...preferred.map(name => input[name]), ...Object.values(input)];
	const text = values.find(value => typeof value === 'string' && value.trim() !== '');
	const line = typeof text === 'string' ? text.trim().replaceAll(/\s+/g, ' ') : '';
	return line.length <= longestTarget ? line : `${line.slice(0, longestTarget)}…`;
};
