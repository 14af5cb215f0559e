import {relative} from 'node:path';
import {counted} from '../domain/counted.ts';
import {isObject} from '../domain/json.ts';

/** What a tool call is about, and what came of it, are cut to this many characters. */
const longest = 160;

/** A text as lines; none for nothing. */
export const textLines = (text: string): readonly string[] => {
	const trimmed = text.trim();
	return trimmed === '' ? [] : trimmed.split('\n');
};

/** One tool call as a line: its name, and the argument that says most. */
export const toolLine = (name: string, target: string): string => `> ${name} ${oneLine(target)}`.trimEnd();

const preferred = [
	...['file_path', 'filePath', 'absolute_path', 'path', 'command', 'cmd', 'pattern', 'query', 'url'],
	...['description', 'prompt'],
];

/**
 * The argument of a tool call that says most, below the workspace where it is a path there; empty for none.
 */
export const targetOf = (input: unknown, workspace: string): string => {
	if (!isObject(input)) return typeof input === 'string' ? input : '';
	const values = [...preferred.map(name => input[name]), ...Object.values(input)];
	const found = values.map(wordsOf).find(text => text !== '') ?? '';
	return withoutWorkspace(found, workspace);
};

/** A command may be a list. */
const wordsOf = (value: unknown): string => {
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

/** The first line that says something, and how many there are beside it. */
export const shortened = (text: string, workspace = ''): string => {
	const [first = '', ...more] = text.split('\n').filter(line => line.trim() !== '');
	const line = oneLine(withoutWorkspace(first, workspace));
	return more.length === 0 ? line : `${line} (+${counted(more.length, 'line')})`;
};

/** On one line, cut where it is too long. */
export const oneLine = (text: string): string => {
	const line = text.trim().replaceAll(/\s+/g, ' ');
	return line.length <= longest ? line : `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
};
