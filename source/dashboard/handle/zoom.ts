import {toggleZoom} from '../store/pane-changes.ts';
import {selectedSession} from '../store/program.ts';
import {focusedPane} from '../store/selectors.ts';
import type {Handler} from './context.ts';
import {attach} from './sessions.ts';

/** Shows one pane on the whole screen; for a session, its program on the whole terminal. */
export const zoom: Handler = context => {
	const state = context.store.getState();
	const isThere = state.tab === 'sessions' || focusedPane(state) === 'log';
	const session = isThere ? selectedSession(state) : undefined;
	if (session) void attach(context, session);
	else context.store.dispatch(toggleZoom);
};
