import {hiddenCharacter} from './escape-hidden.ts';

export type Sanitized = {
	/** Only printable text and line feeds. */
	readonly text: string;
	/** Number of removed control sequences. */
	readonly removed: number;
};

/**
 * Maximum length of a control string or sequence, in characters. So an unterminated one cannot hide the text
 * after it.
 */
const maxSequenceLength = 4096;
const tabStop = 8;

/**
 * Makes text from agents and tools, and their logs, safe to show (docs/reliability.md §3). The result cannot
 * move the cursor, set a title, reach the clipboard, or reorder or hide text. It is linear in the length, and
 * idempotent. Write out code and paths first (`writeOut`), since removing a control string would remove code
 * inside it.
 */
export const sanitizeText = (text: string): Sanitized => {
	if (!suspicious.test(text)) return {text, removed: 0};
	const scan = new RegExp(suspicious, 'gu');
	const parts: string[] = [];
	let column = 0;
	let removed = 0;
	let position = 0;
	const add = (part: string): void => {
		parts.push(part);
		const lineFeed = part.lastIndexOf('\n');
		column = lineFeed < 0 ? column + part.length : part.length - lineFeed - 1;
	};
	for (let match = scan.exec(text); match; match = scan.exec(text)) {
		add(text.slice(position, match.index));
		const end = sequenceEnd(text, match.index);
		position = end ?? scan.lastIndex;
		if (end === undefined) add(visibleForm(match[0], column, text[position]));
		else removed += 1;
		scan.lastIndex = position;
	}
	parts.push(text.slice(position));
	return {text: parts.join(''), removed};
};

/** Sanitizes one line of a log or a cell: remaining line feeds become spaces. */
export const sanitizeLine = (text: string): string => {
	const clean = sanitizeText(text).text;
	return clean.includes('\n') ? clean.replaceAll('\n', ' ') : clean;
};

/**
 * Sanitizes a line of prose, such as a title. Joined emoji are shown as their parts, since terminals agree on
 * the width of those. Not for code, where a joiner may be part of a name.
 */
export const sanitizeProse = (text: string): string =>
	sanitizeLine(text.includes('\u200d') ? text.replaceAll(joiner, '') : text);

/**
 * Sanitizes text for a browser, which draws joined emoji as one. Each part between joiners is sanitized on
 * its own.
 */
export const sanitizeForBrowser = (text: string): string =>
	text.includes('\u200d')
		? text
				.split(joiner)
				.map(part => sanitizeText(part).text)
				.join('\u200d')
		: sanitizeText(text).text;

const joiner =
	/(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu;

/**
 * Control characters except the line feed, format characters (bidirectional, zero-width, tags), line
 * separators, lone surrogates, and letters and selectors that are invisible.
 */
const suspicious = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|[\u{e0000}-\u{e01ef}]/u;

/**
 * One line of JSON that is safe to show in a terminal: nothing in it controls or misleads one. A parser gets
 * the same text.
 */
export const printableJson = (value: object): string => {
	const json = JSON.stringify(value);
	return hiddenCharacter.test(json) ? json.replace(new RegExp(hiddenCharacter, 'gu'), escapeUnits) : json;
};

const escapeUnits = (character: string): string =>
	character
		.split('')
		.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');

const esc = '\x1b';
/** C1 characters, each with the letter that introduces the same control string or CSI after `ESC`. */
const c1Introducers: Readonly<Record<string, string>> = {
	'\x90': 'P',
	'\x98': 'X',
	'\x9b': '[',
	'\x9d': ']',
	'\x9e': '^',
	'\x9f': '_',
};

/** The end of the control sequence that starts here; `undefined` if none does. */
const sequenceEnd = (text: string, start: number): number | undefined => {
	const isEscape = text[start] === esc;
	const introducer = isEscape ? text[start + 1] : c1Introducers[text[start] ?? ''];
	const body = start + (isEscape ? 2 : 1);
	if (introducer !== undefined && 'P]X^_'.includes(introducer)) return stringEnd(text, body);
	if (introducer === '[') return controlEnd(text, body);
	return isEscape ? escapeEnd(text, start + 1) : undefined;
};

/** OSC, DCS, SOS, PM, APC: ends at BEL or ST, and at the latest at the end of the line or the limit. */
const stringEnd = (text: string, body: number): number => {
	const limit = Math.min(text.length, body + maxSequenceLength);
	for (let index = body; index < limit; index += 1) {
		const character = text[index];
		if (character === '\n') return index;
		if (character === '\x07' || character === '\x9c' || character === '\x18' || character === '\x1a')
			return index + 1;
		if (character === esc) return text[index + 1] === '\\' ? index + 2 : index;
	}
	return limit;
};

/** CSI: parameters, intermediates and a final byte; any other character ends it. */
const controlEnd = (text: string, body: number): number => {
	const limit = Math.min(text.length, body + maxSequenceLength);
	let index = body;
	while (index < limit && inRange(text, index, 0x20, 0x3f)) index += 1;
	return index < limit && inRange(text, index, 0x40, 0x7e) ? index + 1 : index;
};

/** `ESC`, intermediates, one final character; only `ESC` if none of those follows. */
const escapeEnd = (text: string, after: number): number => {
	const limit = Math.min(text.length, after + maxSequenceLength);
	let index = after;
	while (index < limit && inRange(text, index, 0x20, 0x2f)) index += 1;
	return index < limit && inRange(text, index, 0x30, 0x7e) ? index + 1 : index;
};

const inRange = (text: string, index: number, low: number, high: number): boolean => {
	const code = text.charCodeAt(index);
	return code >= low && code <= high;
};

const visibleForm = (character: string, column: number, next: string | undefined): string => {
	if (character === '\t') return ' '.repeat(tabStop - (column % tabStop));
	if (character === '\r') return next === '\n' ? '' : '␍';
	const code = character.codePointAt(0) ?? 0;
	if (code < 0xa0 || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
	return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};
