import {defaultKeyboard} from '../../screen/requested-keyboard.ts';

/** The modes of the terminal while the dashboard has it. Ink does the drawing. */
export type TerminalControl = {
	/** Enters the alternate screen, with the cursor at the first row. No effect if it is entered already. */
	readonly enter: () => void;
	/** Restores the terminal. Idempotent. */
	readonly leave: () => void;
	/** Clears the screen before the first frame of another size. */
	readonly clear: () => void;
	readonly setMouse: (on: boolean) => void;
	/**
	 * Sets the keyboard modes by these sequences, and turns the mouse off. Without them, sets the dashboard's
	 * modes.
	 */
	readonly setKeyboard: (sequences: string | undefined) => void;
	/** Sends a sequence that draws nothing: a bell, a message. */
	readonly send: (sequence: string) => void;
	/**
	 * Sets the terminal's title by this sequence; an empty one leaves it. `leave` restores the earlier title.
	 */
	readonly setTitle: (sequence: string) => void;
	/** Copies text to the clipboard of the person's terminal (OSC 52). */
	readonly copy: (text: string) => void;
};

const modes = {
	alternate: '\x1b[?1049h\x1b[2J',
	/** No wrapping at the edge, no cursor, and the cursor position at the first row. */
	enter: '\x1b[?7l\x1b[?25l\x1b[H',
	/** Bracketed paste. */
	pastes: '\x1b[?2004h',
	/** Focus reports. */
	focus: '\x1b[?1004h',
	keepTitle: '\x1b[22;2t',
	formerTitle: '\x1b[23;2t',
	leave: '\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?1004l\x1b[0m\x1b[?25h\x1b[?7h\x1b[?1049l',
	clear: '\x1b[2J\x1b[H\x1b[?25l',
	mouseOn: '\x1b[?1000h\x1b[?1006h',
	mouseOff: '\x1b[?1006l\x1b[?1000l',
} as const;

/** Max bytes before encoding that terminals accept through OSC 52. */
const maxCopyBytes = 74_000;

/**
 * @param isPainted the alternate screen is entered and painted already, so the first frame is drawn over it
 */
export const createTerminalControl = (write: (text: string) => void, isPainted = false): TerminalControl => {
	let hasAlternate = isPainted;
	let isEntered = false;
	let hasMouse = false;
	let keyboard: string | undefined;
	let title = '';
	let isTitled = false;
	const showTitle = (): void => {
		if (!isEntered || (title === '' && !isTitled)) return;
		write(isTitled ? modes.formerTitle : '');
		if (title !== '') write(modes.keepTitle + title);
		isTitled = title !== '';
	};
	const inputModes = (): string =>
		keyboard === undefined ? modes.pastes + (hasMouse ? modes.mouseOn : '') : modes.mouseOff + keyboard;
	return {
		enter: () => {
			if (isEntered) return;
			isEntered = true;
			write((hasAlternate ? '' : modes.alternate) + modes.enter + modes.focus + inputModes());
			hasAlternate = true;
			showTitle();
		},
		leave: () => {
			if (isEntered)
				write(
					(keyboard === undefined ? '' : defaultKeyboard) + (isTitled ? modes.formerTitle : '') + modes.leave,
				);
			isTitled = false;
			isEntered = false;
			hasAlternate = false;
		},
		clear: () => {
			if (isEntered) write(modes.clear);
		},
		setMouse: on => {
			hasMouse = on;
			if (isEntered) write(on ? modes.mouseOn : modes.mouseOff);
		},
		setKeyboard: sequences => {
			if (sequences === keyboard) return;
			keyboard = sequences;
			if (isEntered) write(defaultKeyboard + inputModes());
		},
		send: sequence => {
			if (isEntered && sequence !== '') write(sequence);
		},
		setTitle: sequence => {
			title = sequence;
			showTitle();
		},
		copy: text => {
			const bytes = Buffer.from(text).subarray(0, maxCopyBytes);
			if (isEntered) write(`\x1b]52;c;${bytes.toString('base64')}\x07`);
		},
	};
};
