import {askedKeyboard} from './asked-keyboard.ts';
import {linesOnScreen} from './lines.ts';
import {createModel, type Model} from './model.ts';
import type {Size} from './paint.ts';
import {resizeTerminal} from './resize.ts';
import {createRows, type View} from './rows.ts';
import {watchScrolledLines} from './scrolled-lines.ts';
import {createScanner} from './sequences.ts';
import {takeSnapshot} from './snapshot.ts';

/** What a program shows in its terminal. Nothing here throws, whatever the program writes. */
export type Screen = {
	/**
	 * Takes what the program wrote, and answers with what viewers' terminals get of it: the same in whole
	 * sequences and characters, without the requests that one terminal answers. The screen has parsed it when
	 * this returns.
	 */
	readonly write: (bytes: Uint8Array) => Uint8Array;
	/** Between 2 and 1000 columns, 1 and 1000 rows: the nearest of these. */
	readonly resize: (size: Size) => void;
	readonly size: () => Size;
	/**
	 * Bytes that make a fresh terminal of the same size show the same and go on the same with what `write`
	 * answers from then on, with at most so many rows of scrollback.
	 */
	readonly snapshot: (options: {readonly scrollback: number}) => Uint8Array;
	/** Text of each row on screen now, blanks at the ends cut. */
	readonly text: () => readonly string[];
	/**
	 * The same by lines: one that was wrapped into several rows is whole, also where some of them have left the
	 * top.
	 */
	readonly lines: () => readonly string[];
	/** Text of the row that the cursor is in. */
	readonly cursorText: () => string;
	/** Rows of a view as text with SGR and nothing else. */
	readonly rows: (view: View) => readonly string[];
	/** How many rows are kept: those that scrolled out and those on screen. */
	readonly length: () => number;
	readonly isAlternate: () => boolean;
	/** The program asked for pastes to be marked as such. */
	readonly takesPastes: () => boolean;
	/** Sequences that ask a terminal for what the program has asked of the keyboard. */
	readonly keyboard: () => string;
	/** Window title that the program set, at most 200 characters. */
	readonly title: () => string;
	readonly dispose: () => void;
};

export type ScreenOptions = {
	/** Rows kept that have left the top. */
	readonly scrollback: number;
	/** Takes what the program is answered to its requests. */
	readonly onReply?: (text: string) => void;
	/** Takes the text of each line that has left the top of the normal screen, whole. */
	readonly onScrolledOff?: (text: string) => void;
};

const longestTitle = 200;

export const createScreen = (size: Size, options: ScreenOptions): Screen =>
	screenOf(createModel(withinLimits(size), options.scrollback), options);

/** The screen of a model, which tests look into. */
export const screenOf = (
	{terminal, core, tracked}: Model,
	options: Omit<ScreenOptions, 'scrollback'>,
): Screen => {
	if (options.onReply !== undefined) terminal.onData(options.onReply);
	if (options.onScrolledOff !== undefined) watchScrolledLines(terminal, core, options.onScrolledOff);
	const scanner = createScanner();
	const drawRows = createRows(core);
	const now = (): Size => ({columns: terminal.cols, rows: terminal.rows});
	return {
		write: bytes => {
			const {program, viewers} = scanner.scan(bytes);
			try {
				core._inputHandler.parse(program);
			} catch {
				// A fault of xterm's own, which costs what it did not parse, but not the session.
				core._inputHandler._parser.reset();
			}
			return Buffer.from(viewers);
		},
		resize: wanted => resizeTerminal(terminal, core, withinLimits(wanted)),
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
		lines: () => linesOnScreen(core.buffers.active, terminal.rows),
		cursorText: () => {
			const {active} = core.buffers;
			return active.lines.get(active.ybase + active.y)?.translateToString(true) ?? '';
		},
		rows: drawRows,
		length: () => core.buffers.active.lines.length,
		takesPastes: () => terminal.modes.bracketedPasteMode,
		isAlternate: () => core.buffers.active === core.buffers.alt,
		keyboard: () => askedKeyboard(core, tracked.keyboard),
		title: () => core._inputHandler._windowTitle.slice(0, longestTitle),
		dispose: () => terminal.dispose(),
	};
};

const withinLimits = ({columns, rows}: Size): Size => ({
	columns: within(2, columns),
	rows: within(1, rows),
});

const within = (least: number, value: number): number =>
	Number.isFinite(value) ? Math.min(1000, Math.max(least, Math.trunc(value))) : least;
