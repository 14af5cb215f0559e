import {relative} from 'node:path';
import {formatCount} from '../domain/format-count.ts';
import {isObject} from '../domain/json.ts';

/** Max characters of a tool call's argument and of its result. */
const maxLineLength = 160;

/** The lines of a text. None for an empty text. */
export const textLines = (text: string): readonly string[] => {
	const trimmed = text.trim();
	return trimmed === '' ? [] : trimmed.split('\n');
};

/** One tool call as a line: its name, and its main argument. */
export const toolLine = (name: string, target: string): string => `> ${name} ${oneLine(target)}`.trimEnd();

const preferred = [
	...['file_path', 'filePath', 'absolute_path', 'path', 'command', 'cmd', 'pattern', 'query', 'url'],
	...['description', 'prompt'],
];

/** The main argument of a tool call; a path below the workspace becomes relative. Empty if there is none. */
export const targetOf = (input: unknown, workspace: string): string => {
	if (!isObject(input)) return typeof input === 'string' ? input : '';
	const values = [...preferred.map(name => input[name]), ...Object.values(input)];
	const found = values.map(formatValue).find(text => text !== '') ?? '';
	return withoutWorkspace(found, workspace);
};

/** A command may be a list of strings. */
const formatValue = (value: unknown): string => {
	if (typeof value === 'string') return value.trim();
	const isList = Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string');
	return isList ? value.join(' ').trim() : '';
};

const withoutWorkspace = (text: string, workspace: string): string => {
	if (workspace === '' || !text.includes(workspace)) return text;
	return text.startsWith('/') && !/\s/.test(text)
		? relative(workspace, text) || '.'
		: text.replaceAll(`${workspace}/`, '');
};

/** The first line that is not blank, and the number of further ones. */
export const shortened = (text: string, workspace = ''): string => {
	const [first = '', ...more] = text.split('\n').filter(line => line.trim() !== '');
	const line = oneLine(withoutWorkspace(first, workspace));
	return more.length === 0 ? line : `${line} (+${formatCount(more.length, 'line')})`;
};

/** The text on one line, cut to the max length. */
export const oneLine = (text: string): string => {
	const line = text.trim().replaceAll(/\s+/g, ' ');
	return line.length <= maxLineLength
		? line
		: `${line.slice(0, maxLineLength).replace(/[\ud800-\udbff]$/, '')}…`;
};
