/**
 * A key as a sequence reports it: the kitty keyboard protocol, xterm's modifyOtherKeys and formatOtherKeys,
 * and function keys.
 */
export type KeyEvent = {
	/** Unicode code point of the key; 0 for the sequence of a function key. */
	readonly code: number;
	/** The code with Shift, and the code on a US keyboard; 0 if not reported. */
	readonly shifted: number;
	readonly base: number;
	/**
	 * One bit each: Shift 1, Alt 2, Ctrl 4, Super 8, Hyper 16, Meta 32. Caps Lock and Num Lock are left out.
	 */
	readonly modifiers: number;
	readonly is: 'press' | 'repeat' | 'release';
};

/** First parameter of a modifyOtherKeys sequence, in the place of a code. */
export const otherKeys = '27';

const locks = 64 | 128;
/** Final bytes of focus and mouse reports. */
const ofNoKey = 'IOM';
const whole = new RegExp(`^${'\x1b'}\\[([\\d:;]*)([@-~])$`);

/** Returns the key of a sequence; undefined for a report of the mouse, the focus or the terminal. */
export const readKeyEvent = (sequence: string): KeyEvent | undefined => {
	const [, parameters = '', final] = whole.exec(sequence) ?? [];
	if (final === undefined || ofNoKey.includes(final)) return undefined;
	const fields = parameters.split(';').map(field => field.split(':').map(Number));
	const [[code = 0, shifted = 0, base = 0] = [], [modifiers = 1, event = 1] = [], [other = 0] = []] = fields;
	const key = {modifiers: ((modifiers || 1) - 1) & ~locks, is: eventNames[event] ?? 'press'};
	if (final === 'u') return {...key, code, shifted, base};
	// It contains the character that Shift produces.
	if (final === '~' && parameters.startsWith(`${otherKeys};`))
		return {...key, code: other, shifted: other, base: 0};
	return {...key, code: 0, shifted: 0, base: 0};
};

const eventNames: Readonly<Record<number, KeyEvent['is']>> = {2: 'repeat', 3: 'release'};

const firstModifier = 57441;
const lastModifier = 57454;

/** True for a modifier by itself: Shift, Ctrl and the like, left or right. */
export const isModifier = ({code}: KeyEvent): boolean => code >= firstModifier && code <= lastModifier;
