import {editLine, inputOf} from '../forms/text-input.ts';
import type {InputEvent} from '../keys/input-event.ts';
import {setMode} from '../store/mode-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import type {HandleContext} from './context.ts';

const closingKeys = new Set(['esc', 'enter']);

/** Typed text searches all keys. Esc, Enter or another ? closes the help. */
export const handleHelpInput = ({store}: HandleContext, event: InputEvent, {text}: ModeOf<'help'>): void => {
	if (event.kind !== 'key') return;
	if (closingKeys.has(event.name) || (event.name === '?' && text === ''))
		return store.dispatch(setMode(browsing));
	const edited = editLine(inputOf(text), event);
	if (edited) store.dispatch(setMode({kind: 'help', text: edited.text}));
};
