import type {SessionName} from '../../host/live/live.ts';
import type {DetachKey} from '../../screen/detach-key.ts';
import {select, setFilter} from './list-changes.ts';
import {setMode} from './mode-changes.ts';
import {focusPane, openTab} from './pane-changes.ts';
import type {Change} from './store.ts';

/** Shows the screen of a session. */
export const openSession =
	({sessionId}: SessionName): Change =>
	state =>
		[openTab('sessions'), setFilter('sessions', ''), select('sessions', sessionId), focusPane('log')].reduce(
			(next, change) => change(next),
			state,
		);

/** Gives the keyboard to a session, in the pane with its screen, until the detach key. */
export const giveKeyboardTo =
	(session: SessionName, detachKey: DetachKey): Change =>
	state =>
		setMode({kind: 'talk', session, detachKey})(openSession(session)(state));
