import type {Size} from './state.ts';
import type {Change} from './store.ts';

export const resized =
	(size: Size): Change =>
	state => ({...state, size});

/** To another program, or back. */
export const lent =
	(isLent: boolean): Change =>
	state => ({...state, isLent});

export const toggleMouse: Change = state => ({...state, mouse: !state.mouse});
