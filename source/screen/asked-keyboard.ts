import type {Keyboard} from './keyboard.ts';
import type {Core} from './xterm-core.ts';

/**
 * Sequences that ask a terminal, whose keyboard is as `plainKeyboard` leaves it, for what a program has asked
 * of its own.
 */
export const askedKeyboard = (core: Core, keyboard: Keyboard): string => {
	const {applicationCursorKeys, applicationKeypad, bracketedPasteMode} = core.coreService.decPrivateModes;
	return [
		keyboard.formats(),
		keyboard.flags(core.buffers.active === core.buffers.alt),
		applicationCursorKeys ? '\x1b[?1h' : '',
		applicationKeypad ? '\x1b=' : '',
		bracketedPasteMode ? '\x1b[?2004h' : '',
	].join('');
};

/** Key formats, key flags, cursor keys, keypad and pastes as a fresh terminal has them. */
export const plainKeyboard = '\x1b[<99u\x1b[=0u\x1b[>4m\x1b[?1l\x1b>\x1b[?2004l';
