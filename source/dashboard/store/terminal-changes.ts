import type {Size} from './state.ts';
import type {Change} from './store.ts';

export const setSize =
	(size: Size): Change =>
	state => ({...state, size});

/** Lends the terminal to another program, or takes it back. */
export const setSuspended =
	(isSuspended: boolean): Change =>
	state => ({...state, isSuspended});

export const toggleMouse: Change = state => ({...state, mouse: !state.mouse});
