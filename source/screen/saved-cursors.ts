import type {Terminal} from '@xterm/headless';
import type {Buffer, Charset, Core, Extended} from './xterm-core.ts';

type SavedCursor = {
	readonly column: number;
	/** Counted from the top of the screen. */
	readonly row: number;
	readonly fg: number;
	readonly bg: number;
	readonly extended: Extended;
	readonly charset: Charset;
};

export type SavedCursors = {
	/** Returns the cursor that a program saved on one of the screens. */
	readonly of: (buffer: Buffer) => SavedCursor;
};

const hasExtended = 0x1000_0000;

/**
 * Makes saving and restoring work as in terminals. xterm saves the row in the scrollback, so the cursor is
 * restored elsewhere once rows have scrolled. It also ignores the pen's underline and the designated set.
 */
export const keepSavedCursors = (terminal: Terminal, core: Core): SavedCursors => {
	const saves = new WeakMap<Buffer, {readonly row: number; readonly extended: Extended}>();
	const pen = () => core._inputHandler._curAttrData;

	const save = (buffer: Buffer): boolean => {
		const extended = Object.assign(pen().extended.clone(), {urlId: 0});
		saves.set(buffer, {row: core.buffers.active.y, extended});
		return false;
	};
	const restore = (buffer: Buffer): boolean => {
		const saved = saves.get(buffer);
		buffer.savedY = buffer.ybase + (saved?.row ?? 0);
		const extended = Object.assign((saved?.extended ?? buffer.savedCurAttrData.extended).clone(), {
			urlId: pen().extended.urlId,
		});
		pen().extended = extended;
		buffer.savedCurAttrData.bg = withExtended(buffer.savedCurAttrData.bg, extended);
		const {_charsetService: charsets} = core;
		charsets._charsets[charsets.glevel] = buffer.savedCharset;
		return false;
	};
	const forget = (): boolean => {
		saves.delete(core.buffers.active);
		return false;
	};

	terminal.parser.registerEscHandler({final: '7'}, () => save(core.buffers.active));
	terminal.parser.registerCsiHandler({final: 's'}, () => save(core.buffers.active));
	terminal.parser.registerEscHandler({final: '8'}, () => restore(core.buffers.active));
	terminal.parser.registerCsiHandler({final: 'u'}, () => restore(core.buffers.active));
	terminal.parser.registerCsiHandler({intermediates: '!', final: 'p'}, forget);
	terminal.parser.registerCsiHandler({prefix: '?', final: 'h'}, parameters => {
		let buffer = core.buffers.active;
		for (const mode of parameters) {
			if (mode === 1048 || mode === 1049) save(buffer);
			if (mode === 47 || mode === 1047 || mode === 1049) buffer = core.buffers.alt;
		}
		return false;
	});
	terminal.parser.registerCsiHandler({prefix: '?', final: 'l'}, parameters => {
		let buffer = core.buffers.active;
		for (const mode of parameters) {
			if (mode === 47 || mode === 1047 || mode === 1049) buffer = core.buffers.normal;
			if (mode === 1048 || mode === 1049) restore(buffer);
		}
		return false;
	});
	return {
		of: buffer => {
			const saved = saves.get(buffer);
			const {savedX: column, savedCurAttrData, savedCharset: charset} = buffer;
			const extended = saved?.extended ?? savedCurAttrData.extended;
			const bg = withExtended(savedCurAttrData.bg, extended);
			return {column, row: saved?.row ?? 0, fg: savedCurAttrData.fg, bg, extended, charset};
		},
	};
};

/** Sets or clears the flag without which xterm ignores underline styles and links. */
const withExtended = (bg: number, {urlId, _ext}: Extended): number =>
	urlId === 0 && ((_ext >> 26) & 7) === 0 ? bg & ~hasExtended : bg | hasExtended;
