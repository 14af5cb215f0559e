import {plainKeyboard} from '../../screen/asked-keyboard.ts';

/** The terminal's modes while the dashboard has it. What is drawn is Ink's to write. */
export type Screen = {
	/** Takes the alternate screen, with the cursor where the first row goes. Nothing when it has it. */
	readonly enter: () => void;
	/** Gives the terminal back as it was. Safe to call twice. */
	readonly leave: () => void;
	/** Empties the screen for a first frame of another size. */
	readonly clear: () => void;
	readonly setMouse: (on: boolean) => void;
	/**
	 * Has the keyboard, and no mouse, as these sequences ask for it; without any as the dashboard needs them.
	 */
	readonly setKeyboard: (asked: string | undefined) => void;
	/** Sends what draws nothing: a bell, a message. */
	readonly send: (sequence: string) => void;
	/**
	 * Sets the title of the terminal by this sequence, or leaves it as it is; the one before comes back with
	 * `leave`.
	 */
	readonly setTitle: (sequence: string) => void;
	/** Puts text on the clipboard of the person's terminal (OSC 52). */
	readonly copy: (text: string) => void;
};

const modes = {
	alternate: '\x1b[?1049h\x1b[2J',
	/** No wrapping at the edge, no cursor; from the first row on. */
	enter: '\x1b[?7l\x1b[?25l\x1b[H',
	/** Pastes are marked as such. */
	pastes: '\x1b[?2004h',
	/** The terminal says when it gets the focus, and when it loses it. */
	focus: '\x1b[?1004h',
	keepTitle: '\x1b[22;2t',
	formerTitle: '\x1b[23;2t',
	leave: '\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?1004l\x1b[0m\x1b[?25h\x1b[?7h\x1b[?1049l',
	clear: '\x1b[2J\x1b[H\x1b[?25l',
	mouseOn: '\x1b[?1000h\x1b[?1006h',
	mouseOff: '\x1b[?1006l\x1b[?1000l',
} as const;

/** Longest text that terminals take through OSC 52, in bytes before encoding. */
const longestCopy = 74_000;

/**
 * @param isPainted the alternate screen is taken and painted already: the first frame goes over that, unseen
 */
export const createScreen = (write: (text: string) => void, isPainted = false): Screen => {
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
	const input = (): string =>
		keyboard === undefined ? modes.pastes + (hasMouse ? modes.mouseOn : '') : modes.mouseOff + keyboard;
	return {
		enter: () => {
			if (isEntered) return;
			isEntered = true;
			write((hasAlternate ? '' : modes.alternate) + modes.enter + modes.focus + input());
			hasAlternate = true;
			showTitle();
		},
		leave: () => {
			if (isEntered)
				write(
					(keyboard === undefined ? '' : plainKeyboard) + (isTitled ? modes.formerTitle : '') + modes.leave,
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
		setKeyboard: asked => {
			if (asked === keyboard) return;
			keyboard = asked;
			if (isEntered) write(plainKeyboard + input());
		},
		send: sequence => {
			if (isEntered && sequence !== '') write(sequence);
		},
		setTitle: sequence => {
			title = sequence;
			showTitle();
		},
		copy: text => {
			const bytes = Buffer.from(text).subarray(0, longestCopy);
			if (isEntered) write(`\x1b]52;c;${bytes.toString('base64')}\x07`);
		},
	};
};
