import {watchCalls} from './calls.ts';
import {readVisibleLines} from './lines.ts';
import type {Size} from './paint.ts';
import {requestedKeyboard} from './requested-keyboard.ts';
import {resizeTerminal} from './resize.ts';
import {createRows, type View} from './rows.ts';
import {watchScrolledLines} from './scrolled-lines.ts';
import {createScanner} from './sequences.ts';
import {takeSnapshot} from './snapshot.ts';
import {createTerminalModel, type TerminalModel} from './terminal-model.ts';

/** The screen of a program's terminal. No call here throws, whatever the program writes. */
export type TerminalEmulator = {
	/**
	 * Processes the program's output, and returns the output for viewers' terminals. That is the same text in
	 * whole sequences and characters, without the requests that only one terminal answers. The screen has
	 * parsed the output when this returns.
	 */
	readonly write: (bytes: Uint8Array) => Uint8Array;
	/** Sets the size, limited to 2 to 1000 columns and 1 to 1000 rows. */
	readonly resize: (size: Size) => void;
	readonly size: () => Size;
	/**
	 * Returns bytes that make a fresh terminal of the same size show the same. That terminal then stays the
	 * same if it gets all later results of `write`. It includes at most that many rows of scrollback.
	 */
	readonly snapshot: (options: {readonly scrollback: number}) => Uint8Array;
	/** Returns the text of each row on screen, without trailing blanks. */
	readonly text: () => readonly string[];
	/**
	 * Returns the same by lines. A line wrapped into several rows is whole, even if some of them have left the
	 * top.
	 */
	readonly lines: () => readonly string[];
	/** Returns the text of the cursor's row. */
	readonly cursorText: () => string;
	readonly isCursorHidden: () => boolean;
	/** Returns the rows of a view as text with SGR only. */
	readonly rows: (view: View) => readonly string[];
	/** Returns the number of kept rows: those that scrolled out and those on screen. */
	readonly length: () => number;
	readonly isAlternate: () => boolean;
	/** True if the program requested bracketed paste. */
	readonly takesPastes: () => boolean;
	/** Returns sequences that request from a terminal the keyboard modes that the program requested. */
	readonly keyboard: () => string;
	/** Returns the window title that the program set, at most 200 characters. */
	readonly title: () => string;
	readonly dispose: () => void;
};

export type EmulatorOptions = {
	/** Number of rows to keep after they have left the top. */
	readonly scrollback: number;
	/** Called with the answers to the program's requests. */
	readonly onReply?: (text: string) => void;
	/** Called with the whole text of each line that has left the top of the normal screen. */
	readonly onScrolledOff?: (text: string) => void;
	/** Called when the program calls for a person: by the bell, or a notification of the terminal. */
	readonly onCalled?: () => void;
};

const maxTitleLength = 200;

export const createTerminalEmulator = (size: Size, options: EmulatorOptions): TerminalEmulator =>
	emulatorOf(createTerminalModel(clampSize(size), options.scrollback), options);

/** Creates the screen of a model, which tests inspect. */
export const emulatorOf = (
	{terminal, core, tracked}: TerminalModel,
	options: Omit<EmulatorOptions, 'scrollback'>,
): TerminalEmulator => {
	if (options.onReply !== undefined) terminal.onData(options.onReply);
	if (options.onScrolledOff !== undefined) watchScrolledLines(terminal, core, options.onScrolledOff);
	if (options.onCalled !== undefined) watchCalls(terminal, options.onCalled);
	const scanner = createScanner();
	const drawRows = createRows(core);
	const now = (): Size => ({columns: terminal.cols, rows: terminal.rows});
	return {
		write: bytes => {
			const {program, viewers} = scanner.scan(bytes);
			try {
				core._inputHandler.parse(program);
			} catch {
				// A fault of xterm itself. It loses the unparsed output, but not the session.
				core._inputHandler._parser.reset();
			}
			return Buffer.from(viewers);
		},
		resize: wanted => resizeTerminal(terminal, core, clampSize(wanted)),
		size: now,
		snapshot: ({scrollback}) => takeSnapshot(core, tracked, now(), scrollback),
		text: () => {
			const {active} = core.buffers;
			return Array.from(
				{length: terminal.rows},
				(_, row) =>
					active.lines
						.get(active.ybase + row)
						?.translateToString(true)
						.trimEnd() ?? '',
			);
		},
		lines: () => readVisibleLines(core.buffers.active, terminal.rows),
		cursorText: () => {
			const {active} = core.buffers;
			return active.lines.get(active.ybase + active.y)?.translateToString(true) ?? '';
		},
		isCursorHidden: () => core.coreService.isCursorHidden,
		rows: drawRows,
		length: () => core.buffers.active.lines.length,
		takesPastes: () => terminal.modes.bracketedPasteMode,
		isAlternate: () => core.buffers.active === core.buffers.alt,
		keyboard: () => requestedKeyboard(core, tracked.keyboard),
		title: () => core._inputHandler._windowTitle.slice(0, maxTitleLength),
		dispose: () => terminal.dispose(),
	};
};

const clampSize = ({columns, rows}: Size): Size => ({
	columns: clamp(2, columns),
	rows: clamp(1, rows),
});

const clamp = (min: number, value: number): number =>
	Number.isFinite(value) ? Math.min(1000, Math.max(min, Math.trunc(value))) : min;
