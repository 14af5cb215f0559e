import type {Keyboard} from './keyboard.ts';
import type {Core} from './xterm-core.ts';

/**
 * Returns the sequences that request from a terminal the keyboard modes that a program requested of its own.
 * The terminal's keyboard must be in the state that `plainKeyboard` sets.
 */
export const requestedKeyboard = (core: Core, keyboard: Keyboard): string => {
	const {applicationCursorKeys, applicationKeypad, bracketedPasteMode} = core.coreService.decPrivateModes;
	return [
		keyboard.formats(),
		keyboard.flags(core.buffers.active === core.buffers.alt),
		applicationCursorKeys ? '\x1b[?1h' : '',
		applicationKeypad ? '\x1b=' : '',
		bracketedPasteMode ? '\x1b[?2004h' : '',
	].join('');
};

/** Resets key formats, key flags, cursor keys, keypad and pastes to those of a fresh terminal. */
export const defaultKeyboard = '\x1b[<99u\x1b[=0u\x1b[>4m\x1b[?1l\x1b>\x1b[?2004l';
