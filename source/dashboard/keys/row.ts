import type {Subject} from '../store/selectors.ts';
import type {State} from '../store/state.ts';

/** Where a key works. */
export type Scope =
	| 'everywhere'
	/** While the colony has no traces. */
	| 'begin'
	/** In the panes with scrolling text. */
	| 'texts'
	/** In the pane of the same name. */
	| 'traces'
	/** At the finished traces, while they are collapsed or expanded. */
	| 'folded'
	| 'unfolded'
	/** In the pane of the same name. */
	| 'log'
	| 'diff'
	/** While a detail is open. */
	| 'detail'
	/** While the live diff is open. */
	| 'live'
	/** Where a trace can be shown in an earlier state. */
	| 'past'
	/** In the pane of the same name. */
	| 'events'
	/** In the Sessions tab. */
	| 'sessions'
	/** While an invite is selected. */
	| 'invite'
	/** While a plan that waits is shown. */
	| 'plan'
	/** While a run that can be retried or answered is selected. */
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
	/** Place among the ten keys that the help shows first. A family has one place. */
	readonly first?: number;
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
