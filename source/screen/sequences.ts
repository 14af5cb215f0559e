import {limitMarks} from './marks.ts';
import {isForTerminal} from './requests.ts';

/** The program's output, in whole sequences and characters. */
type Scanned = {
	/** Output for the screen that answers the program. */
	readonly program: string;
	/**
	 * Output for viewers: the same, with NUL, which terminals ignore, in place of each request that a terminal
	 * would answer.
	 */
	readonly viewers: string;
};

export type Scanner = {
	/** Returns the complete text of the bytes so far. The rest, at most 64 KiB, waits for more bytes. */
	readonly scan: (bytes: Uint8Array) => Scanned;
};

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape';

/** Max characters after an introducer. A longer sequence is an attack, and is dropped up to its end. */
const maxStringLength = 65_536;
const maxSequenceLength = 256;
const maxParameter = 9999;

const esc = 0x1b;
const bell = 0x07;
const wellFormed = /^.\[[<=>?]?[0-9:;]*[ -/]*$/su;
const numberTooLong = /[0-9]{5,}/gu;

/**
 * Splits a program's output into text and escape sequences, wherever its chunks end. The result has one form.
 * It is valid UTF-8, without broken-off sequences and without 8-bit controls. Controls come before the
 * sequence that they interrupted. Numbers go up to 9999, and one character has at most 32 marks.
 */
export const createScanner = (): Scanner => {
	const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
	let state: State = 'text';
	let held = '';
	let isTooLong = false;
	let marks = 0;
	let program = '';
	/** Undefined while it is the same as `program`. */
	let viewers: string | undefined;

	const pass = (text: string): void => {
		program += text;
		if (viewers !== undefined) viewers += text;
	};
	const ask = (request: string): void => {
		viewers = `${viewers ?? program}\0`;
		program += request;
		marks = 0;
	};
	const begin = (next: State, text: string): void => {
		state = next;
		held = text;
		isTooLong = false;
	};
	const hold = (text: string, limit: number): void => {
		isTooLong ||= held.length + text.length > limit;
		if (!isTooLong) held += text;
	};
	const finish = (end: string): void => {
		const sequence = held + end;
		if (!isTooLong) {
			marks = 0;
			if (isForTerminal(sequence)) ask(sequence);
			else pass(sequence);
		}
		begin('text', '');
	};
	const print = (text: string): void => {
		const limited = limitMarks(text, marks);
		marks = limited.marks;
		pass(limited.text);
	};
	/** Handles a control inside a sequence, which terminals execute at once. Returns true if it was one. */
	const isExecuted = (code: number, character: string): boolean => {
		if (code >= 0x20) return false;
		if (code === esc) begin('escape', character);
		else if (code === 0x18 || code === 0x1a) begin('text', '');
		else if (isKept(code)) pass(character);
		return true;
	};

	/** Ends a sequence at an impossible character, and drops it. The character is text. */
	const cancelled = (at: number): number => {
		begin('text', '');
		return at;
	};

	const inText = (text: string, from: number): number => {
		const end = endOfRun(text, from);
		if (end > from) print(text.slice(from, end));
		if (text.charCodeAt(end) === esc) begin('escape', '\x1b');
		else if (text.charCodeAt(end) === 0x05) ask('\x05');
		return end + 1;
	};
	const inEscape = (text: string, at: number): number => {
		const code = text.charCodeAt(at);
		const character = text.charAt(at);
		if (isExecuted(code, character)) return at + 1;
		if (code > 0x7e) return cancelled(at);
		if (code < 0x30) hold(character, maxSequenceLength);
		else if (held.length === 1 && character === '[') begin('csi', '\x1b[');
		else if (held.length === 1 && ']PX^_'.includes(character)) begin('string', `\x1b${character}`);
		else finish(character);
		return at + 1;
	};
	const inCsi = (text: string, from: number): number => {
		let at = from;
		let code = text.charCodeAt(at);
		while (code >= 0x20 && code < 0x40) code = text.charCodeAt(++at);
		if (at > from) hold(text.slice(from, at), maxSequenceLength);
		if (at === text.length || isExecuted(code, text.charAt(at))) return at + 1;
		if (code > 0x7e) return cancelled(at);
		finishCsi(text.charAt(at));
		return at + 1;
	};
	const finishCsi = (final: string): void => {
		isTooLong ||= !wellFormed.test(held);
		if (held.length > 6) held = held.replace(numberTooLong, withinScreens);
		finish(final);
	};
	const inString = (text: string, from: number): number => {
		const end = endOfString(text, from);
		if (end > from) hold(text.slice(from, end), maxStringLength);
		const code = text.charCodeAt(end);
		if (code === esc) state = 'string-escape';
		else if (code === bell && held.charAt(1) === ']') finish('\x07');
		else if (code === 0x18 || code === 0x1a) begin('text', '');
		return end + 1;
	};
	const afterString = (text: string, at: number): number => {
		if (text.charAt(at) === '\\') {
			finish('\x1b\\');
			return at + 1;
		}
		begin('escape', '\x1b');
		return at;
	};
	const read = {text: inText, escape: inEscape, csi: inCsi, string: inString, 'string-escape': afterString};

	return {
		scan: bytes => {
			const text = decoder.decode(bytes, {stream: true});
			program = '';
			viewers = undefined;
			let at = 0;
			while (at < text.length) at = read[state](text, at);
			return {program, viewers: viewers ?? program};
		},
	};
};

const withinScreens = (digits: string): string => String(Math.min(Number(digits), maxParameter));

/**
 * True for BEL, BS, HT, LF, VT, FF, CR, SO and SI, which terminals execute, and for NUL, which replaces a
 * request.
 */
const isKept = (code: number): boolean => (code >= 0x07 && code <= 0x0f) || code === 0;

const endOfRun = (text: string, from: number): number => {
	let at = from;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code < 0x20 ? !isKept(code) : code >= 0x7f && code < 0xa0) break;
	}
	return at;
};

const endOfString = (text: string, from: number): number => {
	let at = from;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code < 0x20 || (code >= 0x7f && code < 0xa0)) break;
	}
	return at;
};
