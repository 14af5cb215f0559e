import type {Subject} from '../store/selectors.ts';
import type {State} from '../store/state.ts';

/**
 * Where a key works: everywhere; in scrolling text; in one pane; at the collapsed or expanded row of finished
 * traces; in an open detail; where the past can be shown; or while an invite, or a run that can be retried or
 * answered, is selected.
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

/** Actions that share a row in the help. */
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

/** One action: its keys, its texts, and when it is available. */
export type Row = {
	readonly action: string;
	/** Empty if it is only in the palette. */
	readonly keys: readonly string[];
	readonly scope: Scope;
	readonly label: string;
	readonly help: string;
	readonly family?: Family;
	/** Rank in the footer. Absent if it is not shown there. */
	readonly hint?: number;
	/** Replaces the label, depending on the selection. Undefined keeps the label. */
	readonly says?: (state: State) => string | undefined;
	/** Short label for a narrow footer. */
	readonly short?: string;
	/** True if it needs a reachable bus. */
	readonly acts?: true;
	/** Why it is not available now. Undefined if it is. */
	readonly blocked?: (state: State) => string | undefined;
	/** The equivalent command. */
	readonly command?: (subject: Subject) => string | undefined;
};
