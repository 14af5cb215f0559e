import type {Press} from '../keys/press.ts';

/** One line of text being written, with the cursor before the character at `cursor`. */
export type TextInput = {readonly text: string; readonly cursor: number};

export const emptyInput: TextInput = {text: '', cursor: 0};

/** What a key makes of it, with readline's keys; nothing when the key is none of its own. */
export const editText = ({text, cursor}: TextInput, press: Press): TextInput | undefined => {
	if (press.kind === 'paste') return insert(text, cursor, press.text.replaceAll(/\s*[\r\n]+\s*/g, ' '));
	if (press.kind !== 'key') return undefined;
	const edit = edits[press.name];
	if (edit) return edit(text, cursor);
	return press.text === undefined ? undefined : insert(text, cursor, press.text);
};

type Edit = (text: string, cursor: number) => TextInput;

const insert = (text: string, cursor: number, added: string): TextInput => ({
	text: text.slice(0, cursor) + added + text.slice(cursor),
	cursor: cursor + added.length,
});

const remove = (text: string, from: number, to: number): TextInput => ({
	text: text.slice(0, from) + text.slice(to),
	cursor: from,
});

const before = (text: string, cursor: number): number =>
	cursor - ([...text.slice(0, cursor)].at(-1)?.length ?? 0);
const after = (text: string, cursor: number): number => cursor + ([...text.slice(cursor)][0]?.length ?? 0);
const wordStart = (text: string, cursor: number): number =>
	text.slice(0, cursor).trimEnd().lastIndexOf(' ') + 1;

const edits: Readonly<Record<string, Edit>> = {
	left: (text, cursor) => ({text, cursor: before(text, cursor)}),
	'ctrl+b': (text, cursor) => ({text, cursor: before(text, cursor)}),
	right: (text, cursor) => ({text, cursor: after(text, cursor)}),
	'ctrl+f': (text, cursor) => ({text, cursor: after(text, cursor)}),
	home: text => ({text, cursor: 0}),
	'ctrl+a': text => ({text, cursor: 0}),
	end: text => ({text, cursor: text.length}),
	'ctrl+e': text => ({text, cursor: text.length}),
	backspace: (text, cursor) => remove(text, before(text, cursor), cursor),
	'ctrl+d': (text, cursor) => ({...remove(text, cursor, after(text, cursor)), cursor}),
	'ctrl+u': (text, cursor) => remove(text, 0, cursor),
	'ctrl+k': (text, cursor) => remove(text, cursor, text.length),
	'ctrl+w': (text, cursor) => remove(text, wordStart(text, cursor), cursor),
};
