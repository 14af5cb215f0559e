import type {Charset, Core} from './xterm-core.ts';

const finals = ['0', 'A', '4', '5', '6', '7', '=', 'C', 'E', 'H', 'K', 'Q', 'R', 'Y', 'Z'];
let known: ReadonlyMap<Charset, string> | undefined;

/**
 * Finds the final byte that designates each charset; `B` is ASCII. The sets are xterm's own objects, so xterm
 * is made to select each one, in a terminal without designations.
 */
export const learnCharsets = (core: Core): void => {
	known ??= new Map(
		finals.map(final => {
			core._inputHandler.selectCharset(`(${final}`);
			return [core._charsetService._charsets[0], final];
		}),
	);
	core._charsetService.reset();
};

const finalOf = (charset: Charset): string => known?.get(charset) ?? 'B';

/** Designates one set as G0 and shifts to it. */
export const designate = (charset: Charset): string => `\x1b(${finalOf(charset)}\x0f`;

/** Designates G0 to G3 as in the terminal, and applies its shift. */
export const designateAll = ({_charsets, glevel}: Core['_charsetService']): string => {
	const sets = ['(', ')', '*', '+'].map((level, index) =>
		_charsets[index] === undefined ? '' : `\x1b${level}${finalOf(_charsets[index])}`,
	);
	return sets.join('') + (['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? '');
};
