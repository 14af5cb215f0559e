import {editLine, inputOf} from '../forms/text-input.ts';
import type {Press} from '../keys/press.ts';
import {setMode} from '../store/mode-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import type {HandleContext} from './context.ts';

const closing = new Set(['esc', 'enter']);

/** Typed text searches all keys. Esc, Enter or another ? closes the help. */
export const pressHelp = ({store}: HandleContext, press: Press, {text}: ModeOf<'help'>): void => {
	if (press.kind !== 'key') return;
	if (closing.has(press.name) || (press.name === '?' && text === ''))
		return store.dispatch(setMode(browsing));
	const edited = editLine(inputOf(text), press);
	if (edited) store.dispatch(setMode({kind: 'help', text: edited.text}));
};
