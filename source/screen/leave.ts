const off = (modes: readonly number[]): string => `\x1b[?${modes.join(';')}l`;

/**
 * Focus, mouse and its encodings, alternate scroll, paste, synchronized output, colour reports and resize
 * reports.
 */
const reporting = off([
	9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2004, 2026, 2031, 2048,
]);
/** Cursor keys, reverse video, origin, reverse wraparound. */
const drawing = off([1, 5, 6, 45]);
const keyboard = '\x1b[<99u\x1b[>m\x1b[>4m\x1b>';
const plain = '\x1b[0m\x1b[0"q\x1b]8;;\x1b\\\x1b[4l\x1b[20l\x1b[?7h\x1b(B\x1b)B\x1b*B\x1b+B\x0f';
const cursor = '\x1b[0 q\x1b[?12l\x1b[?25h';

/** Returns the sequence for a person's terminal before it shows a session: it saves their title. */
export const enterSequence = (): string => '\x1b[22;2t';

/**
 * Returns the sequence for a terminal in any state before a snapshot: it sets the modes of a fresh one, and
 * clears the screen.
 */
export const freshSequence = (): string =>
	`${keyboard}\x1b[?1047l${keyboard}${reporting}${drawing}${plain}${cursor}\x1b[r\x1b[H\x1b[2J`;

/**
 * Returns the sequence for a person's terminal when they leave a session. It undoes everything that the
 * program may have switched on. It sets the normal screen, a visible cursor at the bottom left on a fresh
 * line, and the saved title.
 */
export const leaveSequence = (): string =>
	`${keyboard}\x1b[?1047l${keyboard}${reporting}${drawing}${plain}${cursor}\x1b[r\x1b[9999;1H\r\n\x1b[23;2t`;
