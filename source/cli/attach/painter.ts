import {enterSequence, freshSequence, leaveSequence} from '../../screen/leave.ts';
import type {Size} from '../../screen/paint.ts';
import {createTerminalEmulator, type TerminalEmulator} from '../../screen/terminal-emulator.ts';
import type {OwnTerminal} from './own-terminal.ts';

/** Shows a session in the person's terminal. */
export type Painter = {
	/** Starts an empty screen of this size for the output that follows. */
	readonly startScreen: (size: Size) => void;
	/** False if the caller should wait until the terminal is drained. */
	readonly output: (bytes: Uint8Array) => boolean;
	/** Call when the terminal has another size. */
	readonly resized: () => void;
	/** Restores the terminal. */
	readonly leave: () => void;
};

/** Milliseconds between two frames of a session that has another size. */
const frameIntervalMs = 50;

/**
 * Creates a painter. If the session has the size of the terminal, bytes pass unchanged. Otherwise its rows
 * are drawn in the corner, with a note beside them if there is room.
 * @param note returns the note on a session of another size
 */
export const createPainter = (terminal: OwnTerminal, note: (size: Size) => string): Painter => {
	/** The session's screen while it is drawn. */
	let emulator: TerminalEmulator | undefined;
	let timer: NodeJS.Timeout | undefined;
	let drawnLines: readonly string[] = [];

	const draw = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (emulator === undefined) return;
		const {columns, rows} = terminal.size();
		const size = emulator.size();
		const lines = [...emulator.rows({columns, rows: Math.min(rows, size.rows), cursor: true})];
		if (size.rows < rows) lines.push(`\x1b[0;2m${note(size).slice(0, columns)}\x1b[0m`);
		const changed = lines.flatMap((line, at) =>
			line === drawnLines[at] ? [] : [`\x1b[${at + 1};1H\x1b[0m${line}\x1b[0m\x1b[K`],
		);
		drawnLines = lines;
		if (changed.length > 0) terminal.write(`\x1b[?2026h${changed.join('')}\x1b[?2026l`);
	};
	const scheduleDraw = (): void => {
		timer ??= setTimeout(draw, frameIntervalMs);
	};
	const stopDrawing = (): void => {
		clearTimeout(timer);
		timer = undefined;
		emulator?.dispose();
		emulator = undefined;
		drawnLines = [];
	};

	let isEntered = false;
	const enter = (): void => {
		if (isEntered) return;
		isEntered = true;
		// The earlier content of the screen stays above it.
		terminal.write(`${enterSequence()}${'\n'.repeat(terminal.size().rows)}`);
	};
	return {
		startScreen: size => {
			enter();
			stopDrawing();
			const terminalSize = terminal.size();
			const fits = size.columns === terminalSize.columns && size.rows === terminalSize.rows;
			terminal.write(fits ? freshSequence() : `${freshSequence()}\x1b[?25l`);
			if (fits) return;
			emulator = createTerminalEmulator(size, {scrollback: 0});
			scheduleDraw();
		},
		output: bytes => {
			if (emulator === undefined) return terminal.write(bytes);
			emulator.write(bytes);
			scheduleDraw();
			return true;
		},
		resized: () => {
			drawnLines = [];
			if (emulator === undefined) return;
			terminal.write('\x1b[0m\x1b[2J');
			scheduleDraw();
		},
		leave: () => {
			if (timer !== undefined) draw();
			stopDrawing();
			if (isEntered) terminal.write(leaveSequence());
		},
	};
};
