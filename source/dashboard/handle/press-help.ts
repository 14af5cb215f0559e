import type {Press} from '../keys/press.ts';
import {setMode} from '../store/changes.ts';
import {browsing} from '../store/state.ts';
import type {HandleContext} from './context.ts';

/** Any key closes the help. */
export const pressHelp = ({store}: HandleContext, press: Press): void => {
	if (press.kind === 'key') store.dispatch(setMode(browsing));
};
