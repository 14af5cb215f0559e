import type {StoredEvent} from '../../domain/event.ts';
import type {Trace} from '../../domain/trace.ts';
import type {CommandOffer} from '../../host/command-offer.ts';
import type {TraceHistory} from '../../host/history.ts';
import type {ColonyStatus, LiveFacts, SessionName} from '../../host/live/live.ts';
import type {Comparison} from '../../host/review/compare.ts';
import type {Preview} from '../../host/review/preview.ts';
import type {RunActivities} from '../../host/views/activity.ts';
import type {Clashes} from '../../host/views/clashes.ts';
import type {DetailFacts, DetailTarget, SectionId} from '../../host/views/detail/section.ts';
import type {SessionView} from '../../host/views/session.ts';
import type {SheetFacts} from '../../host/views/sheet.ts';
import type {Spent} from '../../host/views/today.ts';
import type {Wait} from '../../host/waits/waits.ts';
import type {DetachKey} from '../../screen/detach-key.ts';
import type {Line} from '../parts/line.ts';
import type {Form} from './form.ts';
import type {LogView} from './log.ts';
import type {ReviewState} from './review-state.ts';

export const tabs = ['traces', 'runs', 'review', 'events', 'sessions', 'colony'] as const;
export type Tab = (typeof tabs)[number];

/** Lists have a selection and a filter; texts have a scroll position. */
const listIds = ['traces', 'tasks', 'runs', 'allRuns', 'queue', 'events', 'sessions'] as const;
export type ListId = (typeof listIds)[number];
const textIds = ['log', 'sheet', 'diff', 'colony', 'detail'] as const;
export type TextId = (typeof textIds)[number];
export type PaneId = ListId | TextId;

/**
 * Panes of a tab, in the order in which the Tab key visits them. For a run that is an open session, the log
 * pane shows its screen. The selection decides which of the lower panes of the traces tab are shown. Without
 * a review there is no sheet in the review tab (`panesOf`).
 */
export const tabPanes: Readonly<Record<Tab, readonly PaneId[]>> = {
	traces: ['traces', 'tasks', 'runs', 'log', 'sheet'],
	runs: ['allRuns', 'log'],
	review: ['queue', 'sheet', 'diff'],
	events: ['events'],
	sessions: ['sessions', 'log'],
	colony: ['colony'],
};

export const isList = (pane: PaneId): pane is ListId => listIds.some(id => id === pane);

/** What the dashboard teaches: a hint for each tab, and what to try after the first merge. */
export const lessons = [...tabs, 'merge'] as const;
export type Lesson = (typeof lessons)[number];

export type Scroll = {
	/** First visible row. */
	readonly top: number;
	/** Columns scrolled out at the left. */
	readonly left: number;
	/** True if it stays at the end as text arrives. */
	readonly follow: boolean;
};

export const atTop: Scroll = {top: 0, left: 0, follow: false};

export const traceSorts = ['needs you first', 'newest', 'title'] as const;
export type TraceSort = (typeof traceSorts)[number];

export type Toast = {
	readonly text: string;
	readonly tone: 'good' | 'bad' | 'info';
	/** Milliseconds since 1970 at which it ends. Absent if it stays until the next key, as errors do. */
	readonly until?: number;
};

/** A message of the dashboard, kept for the Events tab. */
export type Notice = {
	readonly number: number;
	readonly at: string;
	readonly text: string;
	readonly tone: Toast['tone'];
};

/** A row of the Events tab. */
export type EventRow = StoredEvent | Notice;

/** Tabs of a detail: sections from the host, the runs as bars, and the output of its run. */
export type DetailTab = SectionId | 'timeline' | 'stdout' | 'stderr';

/** The open detail. */
export type DetailState = DetailTarget & {
	/** The tab that the person chose. Defaults to the most informative one. */
	readonly chosen?: DetailTab;
	/** True if it was opened for its run, whose output is the most informative tab while it runs. */
	readonly isOfRun: boolean;
	readonly facts?: DetailFacts;
};

/** The open view of the change in a trace's worktree, which replaces the panes. */
export type LiveState = DetailTarget & {
	/** The change as last read. Absent until the first one. */
	readonly change?: PreviewState;
	/** When a later change was read, milliseconds since 1970. */
	readonly changedAt?: number;
	/** The position in the Review tab's diff, for when the view closes. */
	readonly kept: {readonly scroll: Scroll; readonly review: ReviewState};
};

/** A trace in the state after one of its events. It is read only. */
export type PastState = {
	readonly history: TraceHistory;
	/** Index of that event in the history. */
	readonly position: number;
	readonly trace: Trace;
};

/** What a task without a run, or a request without tasks, waits for, if known. */
export type WaitsState = {
	/** As returned by `waitsKey`. */
	readonly key: string;
	readonly waits: readonly Wait[];
};

/** The effect of approving the selected task, as far as known. */
export type PreviewState =
	| {readonly key: string; readonly state: 'loading'}
	| {
			readonly key: string;
			readonly state: 'ready';
			readonly preview: Preview;
			/** The changes since the person last looked. Absent if they never looked, or if there are none. */
			readonly since?: Comparison;
	  }
	| {readonly key: string; readonly state: 'refused'; readonly message: string};

/** The cursor in a sheet, and what is unfolded in it. */
export type SheetState = {
	/** Key of the task or trace that the sheet is about. */
	readonly of: string;
	/** Index of a row. */
	readonly cursor: number;
	/** Keys of the unfolded lines. */
	readonly unfolded: ReadonlySet<string>;
};

/** The screen of a session's program, as far as it fits in its pane. */
export type ProgramFrame = {
	readonly sessionId: string;
	/** Size of the program's terminal. */
	readonly size: Size;
	/** Text with SGR sequences only, from the top of the pane. */
	readonly rows: readonly string[];
	/** Sequences that set the keyboard modes which the program has requested. */
	readonly keyboard: string;
	/** True if the program does not read, so that input is dropped. */
	readonly isFull?: boolean;
	/** Why the connection has ended, as text. */
	readonly over?: string;
};

/** The possible owners of the focus, with their data. */
type Modes = {
	readonly browse: object;
	readonly filter: {readonly list: ListId | 'text'};
	readonly form: {readonly form: Form};
	/** The search text among all keys. Empty shows the keys that work here. */
	readonly help: {readonly text: string};
	/** Input goes to the session's program unchanged, until the detach key. */
	readonly talk: {readonly session: SessionName; readonly detachKey: DetachKey};
	readonly palette: {readonly text: string; readonly selected: number};
	readonly details: {readonly title: string; readonly lines: readonly Line[]; readonly top: number};
};
export type ModeKind = keyof Modes;
export type ModeOf<Kind extends ModeKind> = {readonly kind: Kind} & Modes[Kind];
/** The owner of the focus. */
export type Mode = {[Kind in ModeKind]: ModeOf<Kind>}[ModeKind];

export const browsing: Mode = {kind: 'browse'};

export type Size = {readonly columns: number; readonly rows: number};

/** The state from which everything on screen derives. */
export type State = {
	readonly size: Size;
	/** Milliseconds since 1970. */
	readonly now: number;
	readonly tab: Tab;
	readonly focus: Readonly<Record<Tab, PaneId>>;
	readonly zoomed: boolean;
	/** The open detail, which replaces the panes. */
	readonly detail?: DetailState;
	/** The open live diff, in front of a detail. */
	readonly live?: LiveState;
	/** The trace that is shown in a past state. */
	readonly past?: PastState;
	/** False until the first update. */
	readonly loaded: boolean;
	readonly traces: ReadonlyMap<string, Trace>;
	/** Oldest first, max `eventRing`. */
	readonly events: readonly StoredEvent[];
	/** Rows of the Events tab while it is paused. */
	readonly frozenEvents?: readonly EventRow[];
	readonly arrivedWhilePaused: number;
	readonly status: ColonyStatus;
	/** Facts about traces that are not in the log. Absent until the first survey. */
	readonly survey?: LiveFacts;
	/** Conflicts and overlaps between the work of traces. `noClashes` until computed. */
	readonly clashes: Clashes;
	/** Sessions of this checkout, oldest first. */
	readonly sessions: readonly SessionView[];
	/** The current steps of live runs, by run id. */
	readonly activities: RunActivities;
	/** Cost of the runs that ended today. Absent until known. */
	readonly spent?: Spent;
	/** Screen of the session that was shown last. */
	readonly program?: ProgramFrame;
	/** True while another program has the terminal, so nothing is drawn. */
	readonly isSuspended: boolean;
	/** Ids of selected rows, by the key of the list's selection. */
	readonly selected: Readonly<Record<string, string>>;
	/** Rows when their tab was last shown. They determine the neighbour of a row that is gone. */
	readonly previousRows: Readonly<Partial<Record<ListId, readonly unknown[]>>>;
	/** Ids of requested rows that do not exist yet. They are selected when they arrive. */
	readonly awaited: Readonly<Partial<Record<ListId, string>>>;
	/** Ids of rows that are marked for a common action. Some may not exist any more. */
	readonly marks: Readonly<Partial<Record<ListId, ReadonlySet<string>>>>;
	readonly filters: Readonly<Partial<Record<ListId, string>>>;
	/** The sessions in which the text of the sessions' filter was said. Absent until one was searched. */
	readonly said?: {readonly text: string; readonly sessionIds: ReadonlySet<string>};
	/** The search text of `/` in the log or the diff. */
	readonly search: string;
	readonly sort: TraceSort;
	/** True if the finished traces are expanded. */
	readonly isExpanded: boolean;
	/** Traces that the person has archived. */
	readonly archived: ReadonlySet<string>;
	/** Lessons that the person has not used yet. */
	readonly untaught: ReadonlySet<Lesson>;
	/** Examples of requests for an empty colony. Absent until they were read. */
	readonly examples?: readonly string[];
	readonly scroll: Readonly<Record<TextId, Scroll>>;
	readonly wrap: boolean;
	readonly log: LogView;
	readonly preview?: PreviewState;
	readonly review: ReviewState;
	readonly sheet: SheetState;
	/** Facts of a sheet that the snapshots lack, with the key of its task as returned by `queueKey`. */
	readonly sheetFacts?: {readonly key: string; readonly facts: SheetFacts};
	readonly waits?: WaitsState;
	/** Commands of the command line, once they were loaded. */
	readonly commands: readonly CommandOffer[];
	/** Rows of the Colony tab. */
	readonly colony: readonly string[];
	readonly mode: Mode;
	readonly toast?: Toast;
	/** Actions under way: "Approving _review · …3f9a1c02". */
	readonly runningActions: readonly string[];
	/** Oldest first, max `noticeRing`. */
	readonly notices: readonly Notice[];
	readonly mouse: boolean;
	/** When Ctrl+C was last pressed, in milliseconds since 1970. */
	readonly interruptedAt: number;
};

/** Max events kept for the Events tab. */
export const maxEvents = 5000;
/** Max messages of the dashboard kept for the Events tab. */
export const maxNotices = 200;
