import {enterSequence, freshSequence, leaveSequence} from '../../screen/leave.ts';
import type {Size} from '../../screen/paint.ts';
import {createScreen, type Screen} from '../../screen/screen.ts';
import type {OwnTerminal} from './own-terminal.ts';

/** Shows a session in the person's terminal. */
export type Painter = {
	/** Starts an empty screen of this size for the output that follows. */
	readonly screen: (size: Size) => void;
	/** False if the caller should wait until the terminal is drained. */
	readonly output: (bytes: Uint8Array) => boolean;
	/** Call when the terminal has another size. */
	readonly resized: () => void;
	/** Restores the terminal. */
	readonly leave: () => void;
};

/** Milliseconds between two frames of a session that has another size. */
const frameMilliseconds = 50;

/**
 * Creates a painter. If the session has the size of the terminal, bytes pass unchanged. Otherwise its rows
 * are drawn in the corner, with a note beside them if there is room.
 * @param note returns the note on a session of another size
 */
export const createPainter = (terminal: OwnTerminal, note: (size: Size) => string): Painter => {
	/** The session's screen while it is drawn. */
	let drawn: Screen | undefined;
	let timer: NodeJS.Timeout | undefined;
	let shown: readonly string[] = [];

	const draw = (): void => {
		timer = undefined;
		if (drawn === undefined) return;
		const {columns, rows} = terminal.size();
		const size = drawn.size();
		const lines = [...drawn.rows({columns, rows: Math.min(rows, size.rows), cursor: true})];
		if (size.rows < rows) lines.push(`\x1b[0;2m${note(size).slice(0, columns)}\x1b[0m`);
		const changed = lines.flatMap((line, at) =>
			line === shown[at] ? [] : [`\x1b[${at + 1};1H\x1b[0m${line}\x1b[0m\x1b[K`],
		);
		shown = lines;
		if (changed.length > 0) terminal.write(`\x1b[?2026h${changed.join('')}\x1b[?2026l`);
	};
	const drawSoon = (): void => {
		timer ??= setTimeout(draw, frameMilliseconds);
	};
	const stopDrawing = (): void => {
		clearTimeout(timer);
		timer = undefined;
		drawn?.dispose();
		drawn = undefined;
		shown = [];
	};

	let isEntered = false;
	const enter = (): void => {
		if (isEntered) return;
		isEntered = true;
		// The earlier content of the screen stays above it.
		terminal.write(`${enterSequence()}${'\n'.repeat(terminal.size().rows)}`);
	};
	return {
		screen: size => {
			enter();
			stopDrawing();
			const own = terminal.size();
			const fits = size.columns === own.columns && size.rows === own.rows;
			terminal.write(fits ? freshSequence() : `${freshSequence()}\x1b[?25l`);
			if (fits) return;
			drawn = createScreen(size, {scrollback: 0});
			drawSoon();
		},
		output: bytes => {
			if (drawn === undefined) return terminal.write(bytes);
			drawn.write(bytes);
			drawSoon();
			return true;
		},
		resized: () => {
			shown = [];
			if (drawn === undefined) return;
			terminal.write('\x1b[0m\x1b[2J');
			drawSoon();
		},
		leave: () => {
			stopDrawing();
			if (isEntered) terminal.write(leaveSequence());
		},
	};
};
