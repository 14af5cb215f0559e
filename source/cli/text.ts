import {sanitizeText} from '../domain/sanitize.ts';

/** The meaning of a piece of text. Colour only repeats what its words say (dashboard rules). */
type Style = 'strong' | 'dim' | 'good' | 'bad' | 'attention';

/** Text for people, before the sanitizer. Styles are named, never written as escape sequences. */
export type Text = string | readonly (string | {readonly text: string; readonly style: Style})[];

const codes: Readonly<Record<Style, readonly [on: number, off: number]>> = {
	strong: [1, 22],
	dim: [2, 22],
	good: [32, 39],
	bad: [31, 39],
	attention: [33, 39],
};

/** The only way to a person's terminal: every piece is sanitized, then styled. */
export const renderText = (text: Text, color: boolean): string =>
	(typeof text === 'string' ? [text] : text)
		.map(piece => (typeof piece === 'string' ? sanitizeText(piece).text : paint(piece, color)))
		.join('');

const paint = ({text, style}: {text: string; style: Style}, color: boolean): string => {
	const [on, off] = codes[style];
	const clean = sanitizeText(text).text;
	return color ? `\u001B[${on}m${clean}\u001B[${off}m` : clean;
};

/**
 * True if output is coloured. The flag takes precedence over NO_COLOR and similar variables, and these over
 * the terminal.
 */
export const wantsColor = (
	choice: 'auto' | 'always' | 'never',
	env: Readonly<Record<string, string | undefined>>,
	isTTY: boolean,
): boolean => {
	if (choice !== 'auto') return choice === 'always';
	if (env.NO_COLOR || env.HIVE_NO_COLOR || env.FORCE_COLOR === '0') return false;
	if (env.FORCE_COLOR) return true;
	return isTTY && env.TERM !== 'dumb';
};
