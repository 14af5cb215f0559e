import type {Subject} from '../store/selectors.ts';
import type {State} from '../store/state.ts';

/**
 * Where a key works: everywhere, in scrolling text, in one pane, at the finished traces, while a detail is
 * open, where a trace can be shown as it was, or while an invite, or a run that can be repeated or answered,
 * is selected.
 */
export type Scope =
	| 'everywhere'
	| 'texts'
	| 'traces'
	| 'folded'
	| 'unfolded'
	| 'log'
	| 'diff'
	| 'detail'
	| 'past'
	| 'events'
	| 'sessions'
	| 'invite'
	| 'run';

export type Group = 'Act' | 'View' | 'Copy' | 'Move' | 'App';

/** Actions that the help names together. */
export type Family =
	| 'move'
	| 'page'
	| 'half'
	| 'ends'
	| 'sides'
	| 'pane'
	| 'tab'
	| 'tabs'
	| 'match'
	| 'part'
	| 'past'
	| 'hunk'
	| 'file';

/** One action: its keys, its words, and when it can be done. */
export type Row = {
	readonly action: string;
	/** None: it is done through the palette. */
	readonly keys: readonly string[];
	readonly scope: Scope;
	readonly label: string;
	readonly help: string;
	readonly family?: Family;
	/** Rank in the footer; absent: not there. */
	readonly hint?: number;
	/** In place of the label, by what is selected; nothing for the label itself. */
	readonly says?: (state: State) => string | undefined;
	/** Label of the footer where room is short. */
	readonly short?: string;
	/** Needs a bus that answers. */
	readonly acts?: true;
	/** Why it cannot be done now; nothing when it can. */
	readonly blocked?: (state: State) => string | undefined;
	/** The command that does the same. */
	readonly command?: (subject: Subject) => string | undefined;
};
