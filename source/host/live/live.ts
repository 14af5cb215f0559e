import type {ReworkChoice} from '../../actions/rework-choice.ts';
import type {CallRef} from '../../domain/call-ref.ts';
import type {Outcome} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import type {NotifySettings} from '../../domain/notify.ts';
import type {ReviewComment} from '../../domain/review-comment.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {RunProgress} from '../../domain/run-progress.ts';
import type {Trace} from '../../domain/trace.ts';
import type {ActionId} from '../actions/table.ts';
import type {LineQuestion} from '../blame/line-question.ts';
import type {ConfigurationChanges} from '../configuration-changes.ts';
import type {DashboardPreferences, UpdatePreferences} from '../dashboard-preferences.ts';
import type {TraceHistory} from '../history.ts';
import type {RunLogOptions, TimedText} from '../logs/run-log.ts';
import type {Comparison} from '../review/compare.ts';
import type {LiveChange} from '../review/live-change.ts';
import type {Preview} from '../review/preview.ts';
import type {ReadInbox} from '../review/read-inbox.ts';
import type {ReviewMemory} from '../review/review-memory.ts';
import type {View, ViewEvents} from '../sessions/join-session.ts';
import type {RunActivities} from '../views/activity.ts';
import type {Clashes} from '../views/clashes.ts';
import type {CueView} from '../views/colony.ts';
import type {DetailFacts, DetailTarget} from '../views/detail/section.ts';
import type {InboxFacts} from '../views/inbox.ts';
import type {LineOrigin} from '../views/line-origin.ts';
import type {MachineView} from '../views/machines.ts';
import type {SessionView} from '../views/session.ts';
import type {SheetFacts} from '../views/sheet.ts';
import type {Spent} from '../views/today.ts';
import type {Wait} from '../waits/waits.ts';

/** Facts of a colony that do not change while a face shows it. */
export type ColonyHeader = {
	readonly slug: string;
	readonly root: string;
	readonly branch: string;
	/** Location of the log, in short: `embedded`, `127.0.0.1:4222`. */
	readonly bus: string;
};

/**
 * Snapshots after a change. `traces` always has all of them; `events` are those that changed them, oldest
 * first.
 */
export type Update = {readonly traces: ReadonlyMap<string, Trace>; readonly events: readonly StoredEvent[]};

/** Facts of the traces and the colony that are not in the log. */
export type LiveFacts = Required<Pick<InboxFacts, 'held' | 'problems'>> & {
	/** Set if the colony names a forge. */
	readonly hasForge?: true;
};

/**
 * The process whose reactor dispatches the colony: `here` is this process or its child, `elsewhere` another
 * one. `starting` is its child before it has started.
 */
export type ReactorState = 'here' | 'elsewhere' | 'starting' | 'none';

export type ColonyStatus = {
	readonly reactor: ReactorState;
	/**
	 * While `unreachable`, every action is refused. `since` is milliseconds since 1970. `reason` is what is
	 * wrong with a log that is reachable.
	 */
	readonly bus:
		| {readonly state: 'live'}
		| {readonly state: 'unreachable'; readonly since: number; readonly reason?: string};
	/** Other checkouts that work on the colony. The list object stays the same while its content does. */
	readonly places: readonly MachineView[];
	/** Open runs of this checkout without sessions, and the maximum; absent until known. */
	readonly slots?: {readonly taken: number; readonly total: number};
	/** The bee of tasks that name none; absent until known. */
	readonly defaultBee?: string;
	/** Set if the root is no longer a checkout: its folder was moved or deleted. */
	readonly isGone?: true;
};

/** A cue as a face offers it. */
export type CueOffer = Omit<CueView, 'emit'>;

/** The configuration as it is now, each fact a short line. */
export type ColonyFacts = {
	readonly bees: readonly {
		readonly name: string;
		readonly note: string;
		/** True if a person can talk with it. */
		readonly talks: boolean;
	}[];
	/** Problems that are changes below `.hive/` and await a person's approval. */
	readonly awaiting: readonly string[];
	/**
	 * Problems of the files and, once these are followed, everything that `hive doctor` reports as an error.
	 */
	readonly problems: readonly string[];
	/**
	 * If bees need an agent tool and none is on PATH: the available tools and how to install each, one line
	 * each. Otherwise empty.
	 */
	readonly toolAdvice: readonly string[];
	/** Pressed with Ctrl, it leaves a session. Absent if it is not set, and until files are followed. */
	readonly detachKey?: string | undefined;
};

export type SessionName = Pick<SessionView, 'traceId' | 'sessionId'>;

/** A requested session. If it is already over, `summary` tells how it ended. */
export type BegunSession = SessionName &
	Pick<RunRecord, 'status' | 'summary'> & {
		/** A warning about log-outs, if there is one. */
		readonly warning?: string;
	};

/** The result of an action: its first sentence, and the trace that it changed or made. */
export type Acted = {readonly said: string; readonly traceId?: string};

export type {ReworkChoice};

/** A run, as the key to its log. */
type RunName = {readonly traceId: string; readonly agentId: string};

/** The whole input and output of a tool call, as far as they are known. */
export type UnfoldedCall = {
	/** Secrets are removed; control characters are kept. */
	readonly lines: readonly string[];
	/** True while more may come. */
	readonly isRunning: boolean;
};

/**
 * The live read model of one colony, and its actions: everything that a long-lived face needs. Each feed runs
 * until its signal is aborted. Nothing here draws.
 */
export type LiveColony = {
	readonly header: ColonyHeader;
	readonly cues: () => readonly CueOffer[];
	readonly facts: () => ColonyFacts;
	/** Calls `call` when `cues` or `facts` have changed, and once at the start if something is wrong. */
	readonly reloaded: (signal: AbortSignal, call: () => void) => void;
	/**
	 * Passes the current state to `call` at once, then each change. Resumes by itself after the log could not
	 * be read.
	 */
	readonly follow: (signal: AbortSignal, call: (update: Update) => void) => void;
	readonly status: (signal: AbortSignal, call: (status: ColonyStatus) => void) => void;
	/**
	 * What needs a person and is not in the log: the current state, then each change. Driven by `follow` and
	 * `reloaded`.
	 */
	readonly survey: (signal: AbortSignal, call: (survey: LiveFacts) => void) => void;
	/**
	 * Reads what needs a person from the log as it is at the call, including events that `follow` has not
	 * reached. The cost is that of the events since then.
	 */
	readonly inbox: ReadInbox;
	/**
	 * Clashes between the work of traces: the current ones if there are any, then each change. Driven by
	 * `follow`.
	 */
	readonly clashes: (signal: AbortSignal, call: (clashes: Clashes) => void) => void;
	/** Cost of the runs that ended today: the current sum, then each change. Driven by `follow`. */
	readonly spent: (signal: AbortSignal, call: (spent: Spent) => void) => void;
	/** The current settings for notifying the person at this machine. */
	readonly notify: () => NotifySettings;
	/**
	 * Standard output or standard error of a run, from its start and as it grows. Text as the agent wrote it,
	 * with secrets redacted. `caughtUp` is called whenever all that is there is read.
	 */
	readonly log: (
		run: RunName & Pick<RunLogOptions, 'stream'>,
		signal: AbortSignal,
		call: (parts: readonly TimedText[]) => void,
		caughtUp?: () => void,
	) => void;
	/**
	 * The whole input and output of a tool call that `log` named, and again as the tool writes, until its
	 * result.
	 */
	readonly toolCall: (
		toolCall: RunName & {readonly call: CallRef},
		signal: AbortSignal,
		call: (unfolded: UnfoldedCall) => void,
	) => void;
	/**
	 * The sessions of this checkout, ordered by start: the current list, then the whole list after each change.
	 * Driven by `follow`.
	 */
	readonly sessions: (signal: AbortSignal, call: (sessions: readonly SessionView[]) => void) => void;
	/** Ids of the sessions of this checkout, live and over, in which the text was said. */
	readonly searchSessions: (text: string, signal: AbortSignal) => Promise<readonly string[]>;
	/** Activities of the live runs of this checkout: all of them, whenever one changes. Driven by `follow`. */
	readonly doing: (signal: AbortSignal, call: (activities: RunActivities) => void) => void;
	/**
	 * Reads the touched files of a live run of this checkout at once, then when its output grows. Readings are
	 * two to ten seconds apart. Ends when the signal is aborted. `doing` passes them on.
	 */
	readonly inspect: (run: RunName, signal: AbortSignal) => void;
	/**
	 * Views a session. With `types`, input goes to the program, which gets this viewer's size. Refused when no
	 * process holds the session.
	 */
	readonly join: (
		session: SessionName,
		viewing: {readonly columns: number; readonly rows: number; readonly types: boolean},
		events: ViewEvents,
	) => Promise<Outcome<View>>;
	/**
	 * Runs an action of the table that requests a session. `begun` is the session once it can be joined or is
	 * over, or undefined if the signal is aborted first.
	 */
	readonly chat: (
		id: 'bee.chat' | 'invite.accept',
		input: Readonly<Record<string, unknown>>,
		signal: AbortSignal,
	) => Promise<Outcome<{readonly role: string; readonly begun: Promise<Outcome<BegunSession | undefined>>}>>;
	/**
	 * The change in a trace's worktree: the current one, then each later one, at most one per second. Refused
	 * while the worktree cannot be read here. Driven by `follow`.
	 */
	readonly liveChange: (
		traceId: string,
		signal: AbortSignal,
		call: (change: Outcome<LiveChange>) => void,
	) => void;
	/**
	 * A trace's worktree on this machine. Refused if it is gone or elsewhere. `planted` names what makes git
	 * run programs here and is new since a person last ran `hive init`.
	 */
	readonly worktree: (
		traceId: string,
	) => Promise<Outcome<{readonly path: string; readonly planted: readonly string[]}>>;
	/** What approving the task would merge or acknowledge. */
	readonly preview: (target: {
		readonly traceId: string;
		readonly taskId: string;
	}) => Promise<Outcome<Preview>>;
	/** The tasks that can rework what a gate rejects, and the one that gets it if the person names none. */
	readonly reworkChoice: (
		traceId: string,
		comments: readonly Pick<ReviewComment, 'path'>[],
	) => Promise<ReworkChoice>;
	/**
	 * Facts for the sheet of a task that its snapshot does not have. They are a long request, the comments of
	 * the last round and, with `withMerge`, what approving would merge.
	 */
	readonly sheetFacts: (target: {
		readonly traceId: string;
		readonly taskId: string;
		readonly withMerge: boolean;
	}) => Promise<SheetFacts>;
	/**
	 * What a task waits for now, as the reactor of this checkout decides it; empty if it waits for nothing. If
	 * there is no such task: what the trace's direct runs wait for.
	 */
	readonly waits: (target: {readonly traceId: string; readonly taskId: string}) => Promise<readonly Wait[]>;
	/** Facts about a task, or about a trace if no task is named, that are not in its snapshot. */
	readonly detail: (target: DetailTarget) => Promise<DetailFacts>;
	/**
	 * Plans and touched files of runs of a trace, by run id; of many runs only those of the newest ten. A run
	 * that has ended is read once, a live one at most every two seconds.
	 */
	readonly progress: (
		traceId: string,
		runs: readonly RunRecord[],
	) => Promise<ReadonlyMap<string, RunProgress>>;
	/** The history of a trace, from all of its events. */
	readonly history: (traceId: string) => Promise<Outcome<TraceHistory>>;
	/** What this machine remembers of reviews. */
	readonly reviews: {
		readonly read: () => Promise<ReviewMemory>;
		/**
		 * Writes what has changed since `before`, since another dashboard of this machine may have written too.
		 */
		readonly write: (memory: ReviewMemory, before: ReviewMemory) => Promise<void>;
	};
	/** Examples of what a person could ask for in this repository. Read at each call. */
	readonly examples: () => Promise<readonly string[]>;
	/** Changes of the configuration that await a person's approval. */
	readonly configurationChanges: () => Promise<ConfigurationChanges>;
	/** The difference between two trees of this repository. */
	readonly compare: (trees: {
		readonly before: string;
		readonly after: string;
		/** Files to compare. Default: all. */
		readonly paths?: readonly string[];
	}) => Promise<Outcome<Comparison>>;
	/** Where a line of a change under review comes from. */
	readonly lineOrigin: (
		subject: {readonly traceId: string; readonly taskId?: string | undefined},
		question: LineQuestion,
	) => Promise<Outcome<LineOrigin>>;
	/** Lines of a file by its git blob id, if they can be read. */
	readonly lines: (blob: string) => Promise<readonly string[] | undefined>;
	/** Runs an action of the table. */
	readonly act: (id: ActionId, input: Readonly<Record<string, unknown>>) => Promise<Outcome<Acted>>;
	/**
	 * What this machine remembers of how the colony was last shown, and how that is changed. A machine that
	 * cannot write remembers nothing.
	 */
	readonly preferences: DashboardPreferences;
	readonly updatePreferences: UpdatePreferences;
	/** Milliseconds since 1970. */
	readonly now: () => number;
};
