import type {Form} from '../forms/form.ts';
import {setMode} from '../store/mode-changes.ts';
import type {HandleContext} from './context.ts';

/** Shows a dialog, which takes the keys until it is closed. */
export const openForm = ({store}: HandleContext, form: Form): void =>
	store.dispatch(setMode({kind: 'form', form}));
