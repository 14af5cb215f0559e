import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {CommandOffer} from '../../host/command-offer.ts';
import type {TraceHistory} from '../../host/history.ts';
import type {ColonyStatus, SessionName, Survey} from '../../host/live/live.ts';
import type {Comparison} from '../../host/review/compare.ts';
import type {Preview} from '../../host/review/preview.ts';
import type {SessionView} from '../../host/sessions/sessions.ts';
import type {Clashes} from '../../host/views/clashes.ts';
import type {DetailFacts, DetailTarget, SectionId} from '../../host/views/detail/section.ts';
import type {Doings} from '../../host/views/doing.ts';
import type {Spent} from '../../host/views/today.ts';
import type {Wait} from '../../host/waits/waits.ts';
import type {DetachKey} from '../../screen/detach-key.ts';
import type {Line} from '../parts/line.ts';
import type {Form} from './form.ts';
import type {LogView} from './log.ts';
import type {ReviewState} from './review-state.ts';

export const tabs = ['traces', 'runs', 'review', 'events', 'sessions', 'colony'] as const;
export type Tab = (typeof tabs)[number];

/**
 * Lists remember what is selected and what they are filtered by; texts remember where they are scrolled to.
 */
const listIds = ['traces', 'tasks', 'runs', 'allRuns', 'queue', 'events', 'sessions'] as const;
export type ListId = (typeof listIds)[number];
const textIds = ['log', 'diff', 'colony', 'detail'] as const;
export type TextId = (typeof textIds)[number];
export type PaneId = ListId | TextId;

/** Panes of a tab in the order Tab visits them. The log of a run that is an open session is its screen. */
export const tabPanes: Readonly<Record<Tab, readonly PaneId[]>> = {
	traces: ['traces', 'tasks', 'runs', 'log'],
	runs: ['allRuns', 'log'],
	review: ['queue', 'diff'],
	events: ['events'],
	sessions: ['sessions', 'log'],
	colony: ['colony'],
};

export const isList = (pane: PaneId): pane is ListId => listIds.some(id => id === pane);

export type Scroll = {
	/** First row shown. */
	readonly top: number;
	/** Columns scrolled out on the left. */
	readonly left: number;
	/** Stays at the end as text arrives. */
	readonly follow: boolean;
};

export const atTop: Scroll = {top: 0, left: 0, follow: false};

export const traceSorts = ['needs you first', 'newest', 'title'] as const;
export type TraceSort = (typeof traceSorts)[number];

export type Toast = {
	readonly text: string;
	readonly tone: 'good' | 'bad' | 'info';
	/** UTC milliseconds it goes at; errors stay until a key. */
	readonly until?: number;
};

/** What the dashboard said, kept for the Events tab. */
export type Notice = {
	readonly number: number;
	readonly at: string;
	readonly text: string;
	readonly tone: Toast['tone'];
};

/** A row of the Events tab. */
export type EventRow = StoredEvent | Notice;

/** Parts of a detail: what the host says of it, the runs as bars, and what its run wrote. */
export type DetailTab = SectionId | 'timeline' | 'stdout' | 'stderr';

/** What is looked at in full. */
export type DetailState = DetailTarget & {
	/** The part that a person chose; else the one that says most. */
	readonly chosen?: DetailTab;
	/** Opened for its run: what that writes says most while it runs. */
	readonly isOfRun: boolean;
	readonly facts?: DetailFacts;
};

/** A trace as it was when one of its events had been said: nothing can be done to that. */
export type PastState = {
	readonly history: TraceHistory;
	/** Of that event in the history. */
	readonly position: number;
	readonly trace: Trace;
};

/** What a task without a run, or a request without tasks, waits for, as far as it is known. */
export type WaitsState = {
	/** As `waitsKey` names it. */
	readonly key: string;
	readonly waits: readonly Wait[];
};

/** What approving the selected task would do, as far as it is known. */
export type PreviewState =
	| {readonly key: string; readonly state: 'loading'}
	| {
			readonly key: string;
			readonly state: 'ready';
			readonly preview: Preview;
			/** What changed since the person looked last; absent of what was not looked at, or is the same. */
			readonly since?: Comparison;
	  }
	| {readonly key: string; readonly state: 'refused'; readonly message: string};

/** What the program of a session shows, as far as its pane has room. */
export type ProgramScreen = {
	readonly sessionId: string;
	/** Of the program's terminal. */
	readonly size: Size;
	/** Text with SGR and nothing else, from the top of the pane. */
	readonly rows: readonly string[];
	/** Sequences that ask a terminal for what the program has asked of the keyboard. */
	readonly keyboard: string;
	/** It does not read, and what is typed is dropped. */
	readonly isFull?: boolean;
	/** Why nothing more comes, in words. */
	readonly over?: string;
};

/** What can own the focus, and what it needs to. */
type Modes = {
	readonly browse: object;
	readonly filter: {readonly list: ListId | 'text'};
	readonly form: {readonly form: Form};
	/** What is looked for among all keys; empty: the keys that work here. */
	readonly help: {readonly text: string};
	/** What is typed goes to the program of the session as it is, until that key. */
	readonly talk: {readonly session: SessionName; readonly detachKey: DetachKey};
	readonly palette: {readonly text: string; readonly selected: number};
	readonly details: {readonly title: string; readonly lines: readonly Line[]; readonly top: number};
};
export type ModeKind = keyof Modes;
export type ModeOf<Kind extends ModeKind> = {readonly kind: Kind} & Modes[Kind];
/** What owns the focus. */
export type Mode = {[Kind in ModeKind]: ModeOf<Kind>}[ModeKind];

export const browsing: Mode = {kind: 'browse'};

export type Size = {readonly columns: number; readonly rows: number};

/** Everything on screen follows from this. */
export type State = {
	readonly size: Size;
	/** UTC milliseconds. */
	readonly now: number;
	readonly tab: Tab;
	readonly focus: Readonly<Record<Tab, PaneId>>;
	readonly zoomed: boolean;
	/** What is looked at in full, in the place of the panes. */
	readonly detail?: DetailState;
	/** The trace that is shown as it was. */
	readonly past?: PastState;
	/** False until the first update arrived. */
	readonly loaded: boolean;
	readonly traces: ReadonlyMap<string, Trace>;
	/** Oldest first, at most `eventRing`. */
	readonly events: readonly StoredEvent[];
	/** What the Events tab shows while it is paused. */
	readonly frozenEvents?: readonly EventRow[];
	readonly arrivedWhilePaused: number;
	readonly status: ColonyStatus;
	/** What of the traces the log does not say; absent until it was looked for. */
	readonly survey?: Survey;
	/** What the work of traces clashes with; `noClashes` until it was looked for. */
	readonly clashes: Clashes;
	/** Of this checkout, the oldest first. */
	readonly sessions: readonly SessionView[];
	/** What live runs are at, by their ids. */
	readonly doings: Doings;
	/** What runs that ended today cost; absent until that is known. */
	readonly spent?: Spent;
	/** Of the session that was shown last. */
	readonly program?: ProgramScreen;
	/** Another program has the terminal: nothing is drawn. */
	readonly isLent: boolean;
	/** Ids of rows, each by the place of its list. */
	readonly selected: Readonly<Record<string, string>>;
	/** Rows as they were when their tab was shown last: they say what stood beside one that is gone. */
	readonly seen: Readonly<Partial<Record<ListId, readonly unknown[]>>>;
	/** Ids of rows that were asked for and are not there yet: they are selected when they come. */
	readonly awaited: Readonly<Partial<Record<ListId, string>>>;
	/** Ids of rows that are marked, to act on all of them at once; some may be gone by now. */
	readonly marks: Readonly<Partial<Record<ListId, ReadonlySet<string>>>>;
	readonly filters: Readonly<Partial<Record<ListId, string>>>;
	/** What `/` looks for in the log or the diff. */
	readonly search: string;
	readonly sort: TraceSort;
	/** The finished traces have rows of their own. */
	readonly isUnfolded: boolean;
	/** Traces that a person has put away. */
	readonly archived: ReadonlySet<string>;
	readonly scroll: Readonly<Record<TextId, Scroll>>;
	readonly wrap: boolean;
	readonly log: LogView;
	readonly preview?: PreviewState;
	readonly review: ReviewState;
	readonly waits?: WaitsState;
	/** Commands of the command line, once they were asked for. */
	readonly commands: readonly CommandOffer[];
	/** Rows of the Colony tab. */
	readonly colony: readonly string[];
	readonly mode: Mode;
	readonly toast?: Toast;
	/** What was asked for and is not over: "Approving _review · …3f9a1c02". */
	readonly underWay: readonly string[];
	/** Oldest first, at most `noticeRing`. */
	readonly notices: readonly Notice[];
	readonly mouse: boolean;
	/** When Ctrl+C was pressed last, UTC milliseconds. */
	readonly interruptedAt: number;
};

/** Events kept for the Events tab. */
export const eventRing = 5000;
/** What the dashboard said, kept for the Events tab. */
export const noticeRing = 200;
