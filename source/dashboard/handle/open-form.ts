import type {Opening} from '../forms/target.ts';
import type {Form} from '../store/form.ts';
import {setMode} from '../store/mode-changes.ts';
import type {HandleContext} from './context.ts';

/** The context for a dialog that opens now. */
export const opening = ({store, world: services}: HandleContext): Opening => ({
	now: services.now(),
	traces: store.getState().traces,
});

/** Opens a dialog, which handles keys until it is closed. */
export const openForm = ({store}: HandleContext, form: Form): void =>
	store.dispatch(setMode({kind: 'form', form}));
