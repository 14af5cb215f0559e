import type {KeyboardInput} from '../keys/keyboard-input.ts';
import {nextOffset, previousOffset} from '../parts/graphemes.ts';
import type {TextInput} from '../store/form.ts';

export const emptyInput: TextInput = {text: '', cursor: 0};

/** A text with the cursor at its end. */
export const inputOf = (text: string): TextInput => ({text, cursor: text.length});

/** Applies a key to a text of one line, with readline's keys. Undefined if the key has no meaning here. */
export const editLine = (input: TextInput, event: KeyboardInput): TextInput | undefined =>
	event.kind === 'paste'
		? insertText(input, event.text.replaceAll(/\s*[\r\n]+\s*/g, ' '))
		: editText(input, event);

/** The same for a text of several lines, except for moves between lines. */
export const editText = (input: TextInput, event: KeyboardInput): TextInput | undefined => {
	if (event.kind === 'paste') return insertText(input, event.text.replaceAll(/\r\n?/g, '\n'));
	if (event.kind !== 'key') return undefined;
	const edit = Object.hasOwn(editByKey, event.name) ? editByKey[event.name] : undefined;
	if (edit) return edit(input.text, input.cursor);
	return event.text === undefined ? undefined : insertText(input, event.text);
};

/**
 * Inserts text at the cursor. A tab becomes spaces, since the Tab key moves to the next field. Control
 * characters are removed.
 */
export const insertText = ({text, cursor}: TextInput, added: string): TextInput => {
	const clean = added.replaceAll('\t', '    ').replaceAll(controls, '');
	return {text: text.slice(0, cursor) + clean + text.slice(cursor), cursor: cursor + clean.length};
};

const controls = /(?!\n)\p{Cc}/gu;

type Edit = (text: string, cursor: number) => TextInput;

const remove = (text: string, from: number, to: number): TextInput => ({
	text: text.slice(0, from) + text.slice(to),
	cursor: from,
});

const lineStart = (text: string, cursor: number): number => text.lastIndexOf('\n', cursor - 1) + 1;
const lineEnd = (text: string, cursor: number): number => {
	const end = text.indexOf('\n', cursor);
	return end < 0 ? text.length : end;
};
const wordStart = (text: string, cursor: number): number => text.slice(0, cursor).search(/\S+\s*$|$/);
const wordEnd = (text: string, cursor: number): number =>
	cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);

/** If the cursor is at the edge already, the line feed beyond it is deleted. */
const killTo = (text: string, cursor: number, edge: number, next: number): TextInput => {
	const to = edge === cursor ? next : edge;
	return remove(text, Math.min(cursor, to), Math.max(cursor, to));
};

const moveTo =
	(target: (text: string, cursor: number) => number): Edit =>
	(text, cursor) => ({text, cursor: target(text, cursor)});

const editByKey: Readonly<Record<string, Edit>> = {
	left: moveTo(previousOffset),
	'ctrl+b': moveTo(previousOffset),
	right: moveTo(nextOffset),
	'ctrl+f': moveTo(nextOffset),
	'ctrl+left': moveTo(wordStart),
	'alt+b': moveTo(wordStart),
	'ctrl+right': moveTo(wordEnd),
	'alt+f': moveTo(wordEnd),
	home: moveTo(lineStart),
	'ctrl+a': moveTo(lineStart),
	end: moveTo(lineEnd),
	'ctrl+e': moveTo(lineEnd),
	backspace: (text, cursor) => remove(text, previousOffset(text, cursor), cursor),
	'ctrl+d': (text, cursor) => remove(text, cursor, nextOffset(text, cursor)),
	'ctrl+u': (text, cursor) => killTo(text, cursor, lineStart(text, cursor), previousOffset(text, cursor)),
	'ctrl+k': (text, cursor) => killTo(text, cursor, lineEnd(text, cursor), nextOffset(text, cursor)),
	'ctrl+w': (text, cursor) => remove(text, wordStart(text, cursor), cursor),
	'alt+d': (text, cursor) => remove(text, cursor, wordEnd(text, cursor)),
};
