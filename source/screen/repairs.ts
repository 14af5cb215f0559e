import type {Terminal} from '@xterm/headless';
import {widthAt} from './cell.ts';
import {first, type Parameters} from './parameters.ts';
import type {Buffer, Core} from './xterm-core.ts';

/** Repairs behaviour of xterm that differs from terminals, or throws. */
export const registerRepairs = (terminal: Terminal, core: Core): void => {
	/**
	 * Erasing up to a cursor in the last column searches the row below among the wrong rows, and throws if
	 * there is none.
	 */
	const eraseAbove = (parameters: Parameters, keepProtected: boolean): boolean => {
		const buffer = core.buffers.active;
		const column = buffer.x;
		if (first(parameters) !== 1 || column + 1 < terminal.cols) return false;
		const erase = {params: [1], length: 1};
		buffer.x = 0;
		core._inputHandler.eraseInDisplay(erase, keepProtected);
		buffer.x = column;
		core._inputHandler.eraseInLine(erase, keepProtected);
		const below = buffer.lines.get(buffer.ybase + buffer.y + 1);
		if (below !== undefined) below.isWrapped = false;
		return true;
	};
	terminal.parser.registerCsiHandler({final: 'J'}, parameters => eraseAbove(parameters, false));
	terminal.parser.registerCsiHandler({prefix: '?', final: 'J'}, parameters => eraseAbove(parameters, true));

	/** The alignment pattern takes half of the pen's attributes; terminals take none. */
	terminal.parser.registerEscHandler({intermediates: '#', final: '8'}, () => {
		const pen = core._inputHandler._curAttrData;
		const {fg, bg} = pen;
		Object.assign(pen, {fg: 0, bg: 0});
		core._inputHandler.screenAlignmentPattern();
		Object.assign(pen, {fg, bg});
		return true;
	});

	/** Moving cells under a cursor that waits to wrap leaves it waiting; other edits end the wait. */
	const cancelWrap = (): boolean => {
		const {active} = core.buffers;
		active.x = Math.min(active.x, terminal.cols - 1);
		return false;
	};
	for (const id of [
		{final: 'S'},
		{final: 'T'},
		{intermediates: ' ', final: '@'},
		{intermediates: ' ', final: 'A'},
		{intermediates: "'", final: '}'},
		{intermediates: "'", final: '~'},
	])
		terminal.parser.registerCsiHandler(id, cancelWrap);

	/** Inserting between the halves of a wide character moves the second half away, as a cell of no width. */
	const partHalves = (buffer: Buffer, row: number): void => {
		const line = buffer.lines.get(buffer.ybase + row);
		const column = Math.min(buffer.x, terminal.cols - 1);
		if (line === undefined || column === 0 || widthAt(line, column - 1) !== 2) return;
		line.setCell(column, buffer.getNullCell());
	};
	terminal.parser.registerCsiHandler({final: '@'}, () => {
		partHalves(core.buffers.active, core.buffers.active.y);
		return false;
	});
	terminal.parser.registerCsiHandler({intermediates: "'", final: '}'}, () => {
		const {active} = core.buffers;
		for (let row = active.scrollTop; row <= active.scrollBottom; row++) partHalves(active, row);
		return false;
	});

	/** A full reset leaves the cursor's visibility, its blinking and the mode of line feeds unchanged. */
	terminal.parser.registerEscHandler({final: 'c'}, () => {
		core.coreService.isCursorHidden = false;
		core.optionsService.options.cursorBlink = false;
		core.optionsService.options.convertEol = false;
		return false;
	});
};
