import type {Terminal} from '@xterm/headless';
import {coreOf} from './xterm-core.ts';

const emoji = /^\p{Emoji_Presentation}$/u;
const regionalIndicator = /^\p{Regional_Indicator}$/u;
const cached = new Map<number, 0 | 1 | 2>();

/**
 * Makes emoji as wide as in terminals and programs. In xterm's own table, of Unicode 6, most have one column.
 */
export const useWidths = (terminal: Terminal): void => {
	const older = coreOf(terminal).unicodeService._providers['6'];
	const wcwidth = (code: number): 0 | 1 | 2 => {
		const width = older?.wcwidth(code) ?? 1;
		if (width !== 1 || code < 0x231a) return width;
		const known = cached.get(code);
		if (known !== undefined) return known;
		const found = isWide(String.fromCodePoint(code)) ? 2 : 1;
		if (cached.size < 4096) cached.set(code, found);
		return found;
	};
	terminal.unicode.register({
		version: 'hive',
		wcwidth,
		// Packed as in xterm: whether the character joins the one before, and the columns of both.
		charProperties: (code, preceding) => {
			const width = wcwidth(code);
			const before = (preceding >> 1) & 3;
			if (width > 0) return width << 1;
			// A mark with nothing to join gets a column of its own: without one xterm miscounts the columns.
			return before === 0 ? 1 << 1 : (before << 1) | 1;
		},
	});
	terminal.unicode.activeVersion = 'hive';
};

const isWide = (character: string): boolean => emoji.test(character) && !regionalIndicator.test(character);
