import {type KeyEvent, otherKeys, readKeyEvent} from './key-event.ts';

/** Ctrl and a key, with which a person leaves a session. */
export type DetachKey = {
	/** As people write it: `Ctrl+]`. */
	readonly name: string;
	/** As a terminal sends it by default, without a mode for more exact keys. */
	readonly plain: string;
	/** Unicode code point of the key; of a letter the lowercase one. */
	readonly code: number;
};

/** @param letter one of `@A-Z\]^_`, which Ctrl turns into a code below the blank; `]` by default */
export const ctrlKey = (letter = ']'): DetachKey => ({
	name: `Ctrl+${letter.toUpperCase()}`,
	plain: String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f),
	code: small(letter.charCodeAt(0)),
});

/**
 * Returns the kind of event that a character or a whole sequence reports of the key; undefined for another
 * key.
 */
export const detachEvent = (key: DetachKey, typed: string): KeyEvent['is'] | undefined => {
	if (typed === key.plain) return 'press';
	const event = readKeyEvent(typed);
	return event && isKey(key, event) ? event.is : undefined;
};

/** True if more characters can turn the beginning of a sequence into the key. */
export const mayBecome = (key: DetachKey, beginning: string): boolean => {
	const [found, codes = '', more] = unfinished.exec(beginning) ?? [];
	if (found === undefined || more === undefined) return found !== undefined;
	return codes === otherKeys || codes.split(':').some(code => small(Number(code)) === key.code);
};

const unfinished = new RegExp(`^${'\x1b'}(?:\\[([\\d:]*)(;[\\d:;]*)?)?$`);

const shift = 1;
const ctrl = 4;

const isKey = (key: DetachKey, {code, shifted, base, modifiers}: KeyEvent): boolean => {
	if (modifiers === (ctrl | shift)) return shifted === key.code;
	if (modifiers !== ctrl) return false;
	// A keyboard of another script has its letters in the places of the Latin ones.
	return small(code) === key.code || (code > lastOfAscii && base === key.code);
};

const lastOfAscii = 0x7f;
const small = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);
