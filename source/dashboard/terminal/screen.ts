/** The terminal's alternate screen, drawn row by row. */
export type Screen = {
	/** Takes the alternate screen; what is drawn next is drawn whole. Nothing when it has it. */
	readonly enter: () => void;
	/** Gives the terminal back as it was. Safe to call twice. */
	readonly leave: () => void;
	/** Shows these rows; writes only those that changed. */
	readonly draw: (rows: readonly string[]) => void;
	/** Clears the terminal and shows the last rows again, all of them. */
	readonly redraw: () => void;
	readonly setMouse: (on: boolean) => void;
	/** Puts text on the clipboard of the person's terminal (OSC 52). */
	readonly copy: (text: string) => void;
};

const modes = {
	alternate: '\x1b[?1049h\x1b[2J',
	/** No wrapping at the edge, no cursor, pastes marked as such. */
	enter: '\x1b[?7l\x1b[?25l\x1b[?2004h',
	leave: '\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?7h\x1b[?1049l',
	mouseOn: '\x1b[?1000h\x1b[?1006h',
	mouseOff: '\x1b[?1006l\x1b[?1000l',
	beginFrame: '\x1b[?2026h',
	endFrame: '\x1b[?2026l',
} as const;

/** Longest text that terminals take through OSC 52, in bytes before encoding. */
const longestCopy = 74_000;

/** @param isPainted the alternate screen is taken and painted already: the first frame goes over that, unseen */
export const createScreen = (write: (text: string) => void, isPainted = false): Screen => {
	let hasAlternate = isPainted;
	let shown: readonly string[] = [];
	let isEntered = false;
	let hasMouse = false;
	const draw = (rows: readonly string[]): void => {
		if (!isEntered) return;
		const changed = rows.flatMap((row, index) => (row === shown[index] ? [] : [rowAt(index, row)]));
		const gone = shown.slice(rows.length).map((_, index) => rowAt(rows.length + index, ''));
		shown = rows;
		if (changed.length + gone.length > 0)
			write(modes.beginFrame + changed.concat(gone).join('') + modes.endFrame);
	};
	return {
		enter: () => {
			if (isEntered) return;
			isEntered = true;
			shown = [];
			write((hasAlternate ? '' : modes.alternate) + modes.enter + (hasMouse ? modes.mouseOn : ''));
			hasAlternate = true;
		},
		leave: () => {
			if (isEntered) write(modes.leave);
			isEntered = false;
			hasAlternate = false;
		},
		draw,
		redraw: () => {
			const rows = shown;
			shown = [];
			if (isEntered) write('\x1b[2J');
			draw(rows);
		},
		setMouse: on => {
			hasMouse = on;
			if (isEntered) write(on ? modes.mouseOn : modes.mouseOff);
		},
		copy: text => {
			const bytes = Buffer.from(text).subarray(0, longestCopy);
			if (isEntered) write(`\x1b]52;c;${bytes.toString('base64')}\x07`);
		},
	};
};

const rowAt = (index: number, row: string): string => `\x1b[${index + 1};1H\x1b[2K${row}`;
