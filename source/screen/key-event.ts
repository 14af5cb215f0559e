/**
 * A key as a sequence tells of it: the kitty keyboard protocol, modifyOtherKeys and formatOtherKeys of xterm,
 * function keys.
 */
export type KeyEvent = {
	/** Unicode of the key; 0 where the sequence is of a function key. */
	readonly code: number;
	/** What Shift makes of it, and what it is on a US keyboard; 0 where that is not said. */
	readonly shifted: number;
	readonly base: number;
	/**
	 * One bit each: Shift 1, Alt 2, Ctrl 4, Super 8, Hyper 16, Meta 32. Whether Caps Lock and Num Lock are on
	 * is left out.
	 */
	readonly modifiers: number;
	readonly is: 'press' | 'repeat' | 'release';
};

/** What modifyOtherKeys has in the place of a code. */
export const otherKeys = '27';

const locks = 64 | 128;
/** The focus and the mouse. */
const ofNoKey = 'IOM';
const whole = new RegExp(`^${'\x1b'}\\[([\\d:;]*)([@-~])$`);

/** Nothing of a sequence that tells of no key: of the mouse, the focus, an answer of the terminal. */
export const readKeyEvent = (sequence: string): KeyEvent | undefined => {
	const [, parameters = '', final] = whole.exec(sequence) ?? [];
	if (final === undefined || ofNoKey.includes(final)) return undefined;
	const fields = parameters.split(';').map(field => field.split(':').map(Number));
	const [[code = 0, shifted = 0, base = 0] = [], [modifiers = 1, event = 1] = [], [other = 0] = []] = fields;
	const key = {modifiers: ((modifiers || 1) - 1) & ~locks, is: eventNames[event] ?? 'press'};
	if (final === 'u') return {...key, code, shifted, base};
	// It has the character that is typed, as Shift has made it.
	if (final === '~' && parameters.startsWith(`${otherKeys};`))
		return {...key, code: other, shifted: other, base: 0};
	return {...key, code: 0, shifted: 0, base: 0};
};

const eventNames: Readonly<Record<number, KeyEvent['is']>> = {2: 'repeat', 3: 'release'};

const firstModifier = 57441;
const lastModifier = 57454;

/** A modifier by itself: Shift, Ctrl and the like, the left one or the right one. */
export const isModifier = ({code}: KeyEvent): boolean => code >= firstModifier && code <= lastModifier;
