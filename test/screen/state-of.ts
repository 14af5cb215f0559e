import {isDeepStrictEqual} from 'node:util';
import type {IBufferCell} from '@xterm/headless';
import type {TerminalModel} from '../../source/screen/terminal-model.ts';
import type {Extended, Buffer as ScreenBuffer} from '../../source/screen/xterm-core.ts';

/** Returns all that a model shows and would do next, for comparison with another model. */
export const stateOf = ({terminal, core, tracked}: TerminalModel, scrollback = Number.POSITIVE_INFINITY) => {
	const {_inputHandler: input, _charsetService: charsets, coreService, coreMouseService} = core;
	const pen = input._curAttrData;
	const rowsOf = (buffer: ScreenBuffer, api: typeof terminal.buffer.normal): string[] => {
		const first = Math.max(0, buffer.ybase - scrollback);
		return Array.from({length: Math.max(0, api.length - first)}, (_, row) => {
			const line = api.getLine(first + row);
			const cells: string[] = [];
			for (let column = 0; line !== undefined && column < line.length; column++)
				cells.push(cellOf(line.getCell(column), tracked.links));
			return `${line?.isWrapped && row > 0 ? '+' : '|'}${cells.join('')}`;
		});
	};
	const frameOf = (buffer: ScreenBuffer) => ({
		region: [buffer.scrollTop, buffer.scrollBottom],
		tabs: Object.keys(buffer.tabs).filter(
			column => Number(column) < terminal.cols && buffer.tabs[Number(column)],
		),
		saved: savedOf(buffer),
	});
	const savedOf = (buffer: ScreenBuffer) => {
		const {column, row, fg, bg, charset} = tracked.savedCursors.of(buffer);
		return [
			Math.min(column, terminal.cols - 1),
			Math.min(row, terminal.rows - 1),
			colours(fg),
			colours(bg),
			charset?.q,
		];
	};
	const {active} = core.buffers;
	return {
		normal: rowsOf(core.buffers.normal, terminal.buffer.normal),
		alternate: active === core.buffers.alt ? rowsOf(core.buffers.alt, terminal.buffer.alternate) : 'hidden',
		active: terminal.buffer.active.type,
		cursor: [active.x, active.y],
		pen: [colours(pen.fg), colours(pen.bg), extendedOf(pen.extended)],
		link: input._curAttrData.extended.urlId === 0 ? undefined : tracked.links.get(pen.extended.urlId),
		joins: input._parser.precedingJoinState >> 1,
		frames: [frameOf(core.buffers.normal), frameOf(core.buffers.alt)],
		modes: {
			...coreService.decPrivateModes,
			synchronizedOutput: undefined,
			insert: coreService.modes.insertMode,
		},
		isCursorHidden: coreService.isCursorHidden,
		blinks: core.optionsService.options.cursorBlink,
		returns: core.optionsService.options.convertEol,
		mouse: [coreMouseService.activeProtocol, coreMouseService.activeEncoding],
		charsets: [0, 1, 2, 3].map(level => charsets._charsets[level]?.q),
		shift: [charsets.glevel, charsets.charset?.q],
		title: [input._windowTitle, ...input._windowTitleStack],
		keyboard: [tracked.keyboard.flags(false), tracked.keyboard.flags(true), tracked.keyboard.formats()],
		others: tracked.otherModes.text(),
	};
};

export type State = ReturnType<typeof stateOf>;

/** Returns the names of the parts that differ. */
export const differingParts = (one: State, other: State): string[] =>
	Object.keys(one).filter(name => !isDeepStrictEqual(one[name as keyof State], other[name as keyof State]));

type Decorated = IBufferCell & {fg: number; bg: number; extended: Extended};

/** An empty cell with a background counts as a space, because no terminal shows a difference. */
const cellOf = (cell: IBufferCell | undefined, links: TerminalModel['tracked']['links']): string => {
	if (cell === undefined) return '?';
	const {fg, bg, extended} = cell as Decorated;
	const isBare = fg === 0 && (bg & ~0x3ff_ffff) === 0;
	const characters = cell.getChars() === '' && cell.getWidth() === 1 && !isBare ? ' ' : cell.getChars();
	const attributes = fg === 0 && bg === 0 ? '' : `<${colours(fg)},${colours(bg)}>`;
	const isExtended = (bg & 0x1000_0000) !== 0;
	const link = isExtended && extended.urlId !== 0 ? JSON.stringify(links.get(extended.urlId)) : '';
	return `${attributes}${isExtended ? `{${fg & 0x1000_0000 ? extendedOf(extended) : ''}${link}}` : ''}${characters || '_'}${cell.getWidth() === 1 ? '' : cell.getWidth()}`;
};

/** Returns colour and flags without stale bits of a former colour. */
const colours = (value: number): string => {
	const mode = value & 0x300_0000;
	const colour = mode === 0 ? 0 : mode === 0x300_0000 ? value & 0xff_ffff : value & 0xff;
	return ((value & ~0x3ff_ffff) >>> 0).toString(16) + (mode + colour).toString(16);
};

const extendedOf = ({_ext}: Extended): string => {
	const mode = _ext & 0x300_0000;
	const colour = mode === 0x300_0000 ? _ext & 0xff_ffff : _ext & 0xff;
	return `${(_ext >> 26) & 7}:${mode === 0 ? '' : mode + colour}`;
};
