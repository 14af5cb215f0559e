import type {Form} from './form.ts';
import type {Mode} from './state.ts';
import type {Change} from './store.ts';

/** Gives the focus to a dialog or an overlay, or back to the panes. */
export const setMode =
	(mode: Mode): Change =>
	state => ({...state, mode});

/** Changes the open form. No effect if another form, or none, is open. */
export const changeForm =
	(openedAt: number, change: (form: Form) => Form): Change =>
	state =>
		state.mode.kind === 'form' && state.mode.form.openedAt === openedAt
			? {...state, mode: {kind: 'form', form: change(state.mode.form)}}
			: state;
