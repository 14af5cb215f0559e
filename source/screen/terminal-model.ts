import xterm, {type Terminal} from '@xterm/headless';
import {learnCharsets} from './charsets.ts';
import {trackKeyboard} from './keyboard.ts';
import {keepLinks} from './links.ts';
import {trackOtherModes} from './other-modes.ts';
import type {Size} from './paint.ts';
import {registerRepairs} from './repairs.ts';
import {keepSavedCursors} from './saved-cursors.ts';
import type {Tracked} from './snapshot.ts';
import {useWidths} from './widths.ts';
import {type Core, coreOf} from './xterm-core.ts';

/** A terminal of xterm's, with the state that xterm lacks. */
export type TerminalModel = {readonly terminal: Terminal; readonly core: Core; readonly tracked: Tracked};

export const createTerminalModel = ({columns: cols, rows}: Size, scrollback: number): TerminalModel => {
	const terminal = new xterm.Terminal({
		cols,
		rows,
		scrollback,
		allowProposedApi: true,
		logLevel: 'off',
		windowOptions: {getWinSizeChars: true, pushTitle: true, popTitle: true},
	});
	const core = coreOf(terminal);
	useWidths(terminal);
	learnCharsets(core);
	const savedCursors = keepSavedCursors(terminal, core);
	const keyboard = trackKeyboard(terminal);
	const links = keepLinks(terminal, core);
	const otherModes = trackOtherModes(terminal);
	registerRepairs(terminal, core);
	const resetTracked = (): boolean => {
		keyboard.reset();
		otherModes.reset();
		return false;
	};
	terminal.parser.registerEscHandler({final: 'c'}, resetTracked);
	terminal.parser.registerCsiHandler({intermediates: '!', final: 'p'}, resetTracked);
	return {terminal, core, tracked: {keyboard, links, otherModes, savedCursors}};
};
