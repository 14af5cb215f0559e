import type {Size} from './state.ts';
import type {Change} from './store.ts';

export const resized =
	(size: Size): Change =>
	state => ({...state, size});

/** Lends the terminal to another program, or takes it back. */
export const lent =
	(isLent: boolean): Change =>
	state => ({...state, isLent});

export const toggleMouse: Change = state => ({...state, mouse: !state.mouse});
