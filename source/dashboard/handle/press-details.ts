import type {Press} from '../keys/press.ts';
import {plainText} from '../parts/line.ts';
import {setMode} from '../store/mode-changes.ts';
import {say} from '../store/notice-changes.ts';
import {browsing, type ModeOf} from '../store/state.ts';
import type {HandleContext} from './context.ts';

const steps: Readonly<Record<string, number>> = {up: -1, k: -1, down: 1, j: 1, pgup: -15, pgdn: 15};

/** Scrolls or copies. Any other key closes the details. */
export const pressDetails = ({store, screen}: HandleContext, press: Press, mode: ModeOf<'details'>): void => {
	if (press.kind !== 'key') return;
	const step = steps[press.name];
	if (press.name === 'y') {
		screen.copy(mode.lines.map(plainText).join('\n'));
		return store.dispatch(say('Copied.', 'info'));
	}
	if (step === undefined) return store.dispatch(setMode(browsing));
	const top = Math.min(mode.lines.length - 1, Math.max(0, mode.top + step));
	store.dispatch(setMode({...mode, top}));
};
