import {showToast} from '../store/notice-changes.ts';
import {toggleMouse} from '../store/terminal-changes.ts';
import type {Handler} from './context.ts';

export const mouse: Handler = ({store, screen}) => {
	store.dispatch(toggleMouse);
	const {mouse: isOn} = store.getState();
	screen.setMouse(isOn);
	store.dispatch(showToast(isOn ? 'Mouse on; hold Shift to select text.' : 'Mouse off.', 'info'));
};
