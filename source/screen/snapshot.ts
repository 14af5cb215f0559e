import {createStyleWriter, type StyleWriter} from './brush.ts';
import {backgroundAt, charactersAt, foregroundAt, widthAt} from './cell.ts';
import {designate, designateAll} from './charsets.ts';
import type {Keyboard} from './keyboard.ts';
import type {Links} from './links.ts';
import type {OtherModes} from './other-modes.ts';
import {paintRows, type Size} from './paint.ts';
import type {SavedCursors} from './saved-cursors.ts';
import {isErased, sgrOf, underlineColour} from './sgr.ts';
import type {Attributes, Buffer, BufferLine, Core} from './xterm-core.ts';

export type Tracked = {
	readonly keyboard: Keyboard;
	readonly links: Links;
	readonly otherModes: OtherModes;
	readonly savedCursors: SavedCursors;
};

const maxTitleLength = 200;

/**
 * Returns bytes that make a fresh terminal of this size show the same and continue the same. They include at
 * most `scrollback` rows of scrollback.
 */
export const takeSnapshot = (core: Core, tracked: Tracked, size: Size, scrollback: number): Uint8Array => {
	const {active, normal, alt} = core.buffers;
	const brush = createStyleWriter(tracked.links);
	const paint = (buffer: Buffer, first: number): void => {
		brush.write(tracked.keyboard.flags(buffer === alt));
		paintRows(brush, buffer, first, size);
		brush.clean();
		brush.write(tabStops(buffer, size.columns));
		saveCursor(brush, tracked.savedCursors, buffer, size);
	};

	brush.write(titles(core));
	if (active === normal) visitAlternate(brush, tracked, alt, size);
	paint(normal, Math.max(0, normal.ybase - scrollback));
	brush.write(region(normal, size.rows));
	if (active === alt) {
		brush.write('\x1b[?1047h\x1b[H');
		paint(alt, 0);
		brush.write(region(alt, size.rows));
	}
	brush.write(modes(core));
	brush.write(tracked.otherModes.text());
	brush.write(tracked.keyboard.formats());
	placeCursor(brush, core, size);
	return brush.bytes();
};

/** Returns the title, and the titles that a program has saved. */
const titles = ({_inputHandler: {_windowTitle, _windowTitleStack}}: Core): string => {
	const set = (title: string): string => `\x1b]2;${title.slice(0, maxTitleLength)}\x1b\\`;
	const aside = _windowTitleStack.map(title => `${set(title)}\x1b[22;2t`).join('');
	return aside + (aside === '' && _windowTitle === '' ? '' : set(_windowTitle));
};

/** Writes the state that the alternate screen keeps while it is hidden. */
const visitAlternate = (
	brush: StyleWriter,
	{keyboard, savedCursors, links}: Tracked,
	alt: Buffer,
	size: Size,
): void => {
	const visit = createStyleWriter(links);
	visit.write(keyboard.flags(true));
	saveCursor(visit, savedCursors, alt, size);
	if (visit.text() !== '') brush.write(`\x1b[?1047h${visit.text()}\x1b[?1047l\x1b[H`);
};

const saveCursor = (brush: StyleWriter, cursors: SavedCursors, buffer: Buffer, size: Size): void => {
	const saved = cursors.of(buffer);
	const isUnused = saved.column === 0 && saved.row === 0 && saved.charset === undefined && isPlain(saved);
	if (isUnused) return;
	brush.write(goTo(Math.min(saved.row, size.rows - 1), Math.min(saved.column, size.columns - 1)));
	restorePen(brush, saved);
	brush.write(
		saved.charset === undefined ? '\x1b7' : `${designate(saved.charset)}\x1b7${designate(undefined)}`,
	);
	brush.clean();
};

const isPlain = ({fg, bg, extended}: Attributes): boolean => fg === 0 && bg === 0 && extended._ext === 0;

const tabStops = ({tabs}: Buffer, columns: number): string => {
	const stops = Array.from({length: columns}, (_, column) => column).filter(column => tabs[column]);
	const isUsual =
		stops.every((column, index) => column === index * 8) && stops.length === Math.ceil(columns / 8);
	return isUsual ? '' : `\x1b[3g${stops.map(column => `\x1b[${column + 1}G\x1bH`).join('')}`;
};

const region = ({scrollTop, scrollBottom}: Buffer, rows: number): string =>
	scrollTop === 0 && scrollBottom === rows - 1 ? '' : `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;

const mouseTracking: Readonly<Record<string, string>> = {X10: '9', VT200: '1000', DRAG: '1002', ANY: '1003'};
const mouseEncoding: Readonly<Record<string, string>> = {SGR: '1006', SGR_PIXELS: '1016'};
const cursorShapes = {block: 1, underline: 3, bar: 5};

const modes = ({coreService, coreMouseService, optionsService}: Core): string => {
	const {decPrivateModes: mode, isCursorHidden} = coreService;
	const on = (number: string | undefined): string => (number === undefined ? '' : `\x1b[?${number}h`);
	const shape =
		mode.cursorStyle === undefined ? 0 : cursorShapes[mode.cursorStyle] + (mode.cursorBlink ? 0 : 1);
	return [
		mode.applicationCursorKeys && on('1'),
		mode.applicationKeypad && '\x1b=',
		mode.reverseWraparound && on('45'),
		mode.bracketedPasteMode && on('2004'),
		mode.sendFocus && on('1004'),
		on(mouseTracking[coreMouseService.activeProtocol]),
		on(mouseEncoding[coreMouseService.activeEncoding]),
		optionsService.options.convertEol && '\x1b[20h',
		optionsService.options.cursorBlink && on('12'),
		shape !== 0 && `\x1b[${shape} q`,
		isCursorHidden && '\x1b[?25l',
		!mode.wraparound && '\x1b[?7l',
		mode.origin && on('6'),
	]
		.filter(text => text !== false)
		.join('');
};

/** Puts the cursor in its place, then sets the pen's attributes and charsets. */
const placeCursor = (brush: StyleWriter, core: Core, size: Size): void => {
	const {active} = core.buffers;
	const {_curAttrData: pen, _parser: parser} = core._inputHandler;
	const line = active.lines.get(active.ybase + active.y);
	const row = core.coreService.decPrivateModes.origin ? Math.max(0, active.y - active.scrollTop) : active.y;
	const last = parser.precedingJoinState === 0 ? undefined : line && characterBefore(line, active.x, pen);

	if (active.x < size.columns) brush.write(goTo(row, last?.column ?? active.x));
	else if (last === undefined) waitToWrap(brush, core, line, row, size.columns);
	else brush.write(goTo(row, last.column));

	restorePen(brush, pen);
	brush.write(designateAll(core._charsetService));
	if (core.coreService.modes.insertMode) {
		// Printing the last character again moves the rest of the row, so it is moved back first.
		if (last !== undefined) brush.write(`\x1b[${last.width}P`);
		brush.write('\x1b[4h');
	}
	// Printed again, since a mark that comes next can join only a character that was just printed.
	if (last !== undefined) brush.write(last.characters);
};

/** Sets the attributes for the next text, including the colour of a later underline. */
const restorePen = (brush: StyleWriter, {fg, bg, extended}: Attributes): void => {
	brush.setStyle(fg, bg, extended);
	const colour = underlineColour(extended);
	if (colour !== '') brush.write(`\x1b[${colour.slice(1)}m`);
};

const goTo = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`;

type Last = {readonly column: number; readonly width: number; readonly characters: string};

const characterBefore = (line: BufferLine, x: number, pen: Attributes): Last | undefined => {
	const column = widthAt(line, x - 1) === 0 ? x - 2 : x - 1;
	if (column < 0) return;
	const characters = charactersAt(line, column);
	const width = widthAt(line, column);
	if (characters === '' || column + width !== x) return;
	const cell = sgrOf(foregroundAt(line, column), backgroundAt(line, column), line._extendedAttrs[column]);
	return cell === sgrOf(pen.fg, pen.bg, pen.extended) ? {column, width, characters} : undefined;
};

/** Leaves the cursor after a full row, where it wraps with the next character. */
const waitToWrap = (
	brush: StyleWriter,
	core: Core,
	line: BufferLine | undefined,
	row: number,
	columns: number,
): void => {
	if (line === undefined) return;
	const {active, normal} = core.buffers;
	const column = widthAt(line, columns - 1) === 0 ? columns - 2 : columns - 1;
	const characters = charactersAt(line, column);
	const fits = characters !== '' && column + widthAt(line, column) === columns;
	if (!fits && !isErasedRow(line, columns) && active === normal) {
		// Printing here would be visible. So the cursor starts to wait on the other screen, and is still waiting
		// on return.
		brush.write(`\x1b[?1047h${goTo(active.y, columns - 1)} \x1b[?1047l`);
		return;
	}
	const at = fits ? column : columns - 1;
	brush.write(goTo(row, at));
	brush.setStyle(foregroundAt(line, at), backgroundAt(line, at), line._extendedAttrs[at]);
	// NUL prevents a mark from joining it.
	brush.write(`${fits ? characters : ' '}\0`);
	if (!fits && isErasedRow(line, columns)) brush.write('\x1b[1K');
};

const isErasedRow = (line: BufferLine, columns: number): boolean => {
	const bg = backgroundAt(line, 0);
	for (let column = 0; column < columns; column++) {
		const isSame = backgroundAt(line, column) === bg && isErased(foregroundAt(line, column), bg);
		if (!isSame || charactersAt(line, column) !== '') return false;
	}
	return true;
};
