import type {InputEvent} from '../keys/input-event.ts';
import {plainText} from '../parts/line.ts';
import {setMode} from '../store/mode-changes.ts';
import {showToast} from '../store/notice-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import type {HandleContext} from './context.ts';

const scrollSteps: Readonly<Record<string, number>> = {up: -1, k: -1, down: 1, j: 1, pgup: -15, pgdn: 15};

/** Scrolls or copies. Any other key closes the details. */
export const handleDetailsInput = (
	{store, screen}: HandleContext,
	event: InputEvent,
	mode: ModeOf<'details'>,
): void => {
	if (event.kind !== 'key') return;
	const step = scrollSteps[event.name];
	if (event.name === 'y') {
		screen.copy(mode.lines.map(plainText).join('\n'));
		return store.dispatch(showToast('Copied.', 'info'));
	}
	if (step === undefined) return store.dispatch(setMode(browsing));
	const top = Math.min(mode.lines.length - 1, Math.max(0, mode.top + step));
	store.dispatch(setMode({...mode, top}));
};
