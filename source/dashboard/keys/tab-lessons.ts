import {isEmptyColony} from '../store/selectors.ts';
import type {State, Tab} from '../store/state.ts';
import {keyLabel} from './resolve.ts';
import {type ActionId, bindings} from './table.ts';

/** The hint of a tab. */
type TabLesson = {
	/** What the tab is for. */
	readonly about: string;
	/** The action that matters there, whose key is shown. */
	readonly action: ActionId;
	/** What that key does, after it. */
	readonly does: string;
	/** Another action that shows the same. */
	readonly or?: ActionId;
};

/** With the key, at most 56 columns: one row on the narrowest screen. */
const tabLessons: Readonly<Record<Tab, TabLesson>> = {
	traces: {
		about: 'Traces: one row for each request.',
		action: 'cue.run',
		does: 'asks for more.',
		or: 'example',
	},
	runs: {
		about: 'Runs: every start of a bee.',
		action: 'detail',
		does: 'shows all about one.',
		or: 'open',
	},
	review: {about: 'Review: what waits for you.', action: 'proposal.approve', does: 'approves it.'},
	events: {about: 'Events: all that happened.', action: 'open', does: 'shows all of one.'},
	sessions: {about: 'Sessions: talks with bees.', action: 'bee.chat', does: 'starts one.'},
	colony: {about: 'Colony: bees, cues, problems.', action: 'palette', does: 'runs any command.'},
};

/** The hint of the open tab. Undefined once it was used, and where the pane itself says the same. */
export const tabHint = (state: State): {about: string; key: string; does: string} | undefined => {
	const {tab, untaught, loaded, detail, live, past} = state;
	if (!loaded || detail || live || past || !untaught.has(tab)) return undefined;
	if (tab === 'traces' && isEmptyColony(state)) return undefined;
	const {about, action, does} = tabLessons[tab];
	return {about, key: keyLabel(bindings.find(row => row.action === action)?.keys[0] ?? ''), does};
};

/** True if the action is the one that the hint of the open tab names. */
export const isTaught = (action: ActionId, {tab}: Pick<State, 'tab'>): boolean =>
	action === tabLessons[tab].action || action === tabLessons[tab].or;
