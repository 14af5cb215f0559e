import type {Outcome} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import type {NotifySettings} from '../../domain/notify.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import type {ActionId} from '../actions/table.ts';
import type {ConfigurationChanges} from '../configuration-changes.ts';
import type {TraceHistory} from '../history.ts';
import type {Reading, TimedText} from '../logs/run-log.ts';
import type {Remember, Remembered} from '../remembered.ts';
import type {Comparison} from '../review/compare.ts';
import type {Preview} from '../review/preview.ts';
import type {ReadInbox} from '../review/read-inbox.ts';
import type {ReviewMemory} from '../review/review-memory.ts';
import type {View, ViewEvents} from '../sessions/join-session.ts';
import type {SessionView} from '../sessions/sessions.ts';
import type {Clashes} from '../views/clashes.ts';
import type {DetailFacts, DetailTarget} from '../views/detail/section.ts';
import type {Doings} from '../views/doing.ts';
import type {InboxFacts} from '../views/inbox.ts';
import type {PlaceView} from '../views/places.ts';
import type {Spent} from '../views/today.ts';
import type {Wait} from '../waits/waits.ts';

/** Facts of a colony that do not change while a face shows it. */
export type ColonyHeader = {
	readonly slug: string;
	readonly root: string;
	readonly branch: string;
	/** Where the log is, in a few words: `embedded`, `127.0.0.1:4222`. */
	readonly bus: string;
};

/**
 * Snapshots as they change. `traces` is whole every time; `events` are those that changed it, oldest first.
 */
export type Update = {readonly traces: ReadonlyMap<string, Trace>; readonly events: readonly StoredEvent[]};

/** What of the traces and the colony the log does not say. */
export type Survey = Required<Pick<InboxFacts, 'held' | 'problems'>>;

/**
 * Who dispatches a colony: this process or its own, another one, its own as soon as that has started, or
 * none.
 */
export type ReactorState = 'here' | 'elsewhere' | 'starting' | 'none';

export type ColonyStatus = {
	readonly reactor: ReactorState;
	/**
	 * `unreachable` makes every action refuse; `since` is UTC milliseconds, `reason` says of a log that is
	 * there what is wrong with it.
	 */
	readonly bus:
		| {readonly state: 'live'}
		| {readonly state: 'unreachable'; readonly since: number; readonly reason?: string};
	/** Where else the colony is worked on; the same list while it says the same. */
	readonly places: readonly PlaceView[];
	/**
	 * How many runs of this checkout are open, sessions aside, and how many may be; absent until that is known.
	 */
	readonly slots?: {readonly taken: number; readonly total: number};
	/** The root is no checkout any more: its folder was moved or deleted. */
	readonly isGone?: true;
};

/** A cue as a face offers it. */
export type CueOffer = {readonly id: string; readonly description: string};

/** The configuration as it counts now, each fact a short line. */
export type ColonyFacts = {
	readonly bees: readonly {
		readonly name: string;
		readonly note: string;
		/** A person can talk with it. */
		readonly talks: boolean;
	}[];
	/** Those of the problems that are changes below `.hive/`, which await a person. */
	readonly awaiting: readonly string[];
	/** Of the files, and once they are followed all that `hive doctor` calls an error in them. */
	readonly problems: readonly string[];
	/**
	 * Where bees want an agent tool and none is on PATH: which there are and how each is installed, a line
	 * each; else empty.
	 */
	readonly toolAdvice: readonly string[];
	/** Pressed with Ctrl it leaves a session; absent where nothing is set, and until files are followed. */
	readonly detachKey?: string | undefined;
};

export type SessionName = Pick<SessionView, 'traceId' | 'sessionId'>;

/** A session that was asked for; `summary` says of one that is over already how it went. */
export type BegunSession = SessionName &
	Pick<RunRecord, 'status' | 'summary'> & {
		/** What the person should know of log-outs; absent for nothing. */
		readonly warning?: string;
	};

/** What an action did: its first sentence, and the trace that it was done to, or made. */
export type Acted = {readonly said: string; readonly traceId?: string};

/** A run, named by what its log is found by. */
type RunName = {readonly traceId: string; readonly agentId: string};

/**
 * The live read model of one colony, and its actions: all that a face which stays open needs. Feeds run until
 * their signal; nothing here draws.
 */
export type LiveColony = {
	readonly header: ColonyHeader;
	readonly cues: () => readonly CueOffer[];
	readonly facts: () => ColonyFacts;
	/** Calls when `cues` or `facts` are others than before, and once at the start when something is wrong. */
	readonly reloaded: (signal: AbortSignal, call: () => void) => void;
	/** What there is at once, then each change; goes on by itself after the log could not be read. */
	readonly follow: (signal: AbortSignal, call: (update: Update) => void) => void;
	readonly status: (signal: AbortSignal, call: (status: ColonyStatus) => void) => void;
	/**
	 * What needs a person and is not in the log: what there is, then again when it is another. Moves with
	 * `follow` and `reloaded`.
	 */
	readonly survey: (signal: AbortSignal, call: (survey: Survey) => void) => void;
	/**
	 * What needs a person by the log as it is at the call, also of what `follow` has not come to yet. It costs
	 * what came since.
	 */
	readonly inbox: ReadInbox;
	/**
	 * What the work of traces clashes with: what there is unless it is nothing, then again when it is another.
	 * Moves with `follow`.
	 */
	readonly clashes: (signal: AbortSignal, call: (clashes: Clashes) => void) => void;
	/** What runs that ended today cost: what there is, then again when it is another. Moves with `follow`. */
	readonly spent: (signal: AbortSignal, call: (spent: Spent) => void) => void;
	/** How the person at this machine wants to be told of what needs them, by now. */
	readonly notify: () => NotifySettings;
	/**
	 * Standard output or standard error of a run from its start, then as it grows. Text as the agent wrote it,
	 * secrets redacted.
	 */
	readonly log: (
		run: RunName & Pick<Reading, 'stream'>,
		signal: AbortSignal,
		call: (parts: readonly TimedText[]) => void,
	) => void;
	/**
	 * The sessions of this checkout in the order of their starts: what there is, then all again when one
	 * changes. Moves with `follow`.
	 */
	readonly sessions: (signal: AbortSignal, call: (sessions: readonly SessionView[]) => void) => void;
	/**
	 * What the live runs of this checkout are at: all of it, whenever one is at something else. Moves with
	 * `follow`.
	 */
	readonly doing: (signal: AbortSignal, call: (doings: Doings) => void) => void;
	/**
	 * Looks at a session; `types`: what it types goes to the program, which gets its size. Refused when nobody
	 * holds it.
	 */
	readonly join: (
		session: SessionName,
		viewing: {readonly columns: number; readonly rows: number; readonly types: boolean},
		events: ViewEvents,
	) => Promise<Outcome<View>>;
	/**
	 * Does an action of the table that asks for a session; `begun` is the session once it can be joined or is
	 * over, or nothing when the signal comes first.
	 */
	readonly chat: (
		id: 'bee.chat' | 'invite.accept',
		input: Readonly<Record<string, unknown>>,
		signal: AbortSignal,
	) => Promise<Outcome<{readonly role: string; readonly begun: Promise<Outcome<BegunSession | undefined>>}>>;
	/** What approving the task would merge or acknowledge. */
	readonly preview: (target: {
		readonly traceId: string;
		readonly taskId: string;
	}) => Promise<Outcome<Preview>>;
	/**
	 * What a task waits for now, as the reactor of this checkout decides it; nothing where it waits for
	 * nothing. Without such a task, what the runs of the trace wait for that events ask for.
	 */
	readonly waits: (target: {readonly traceId: string; readonly taskId: string}) => Promise<readonly Wait[]>;
	/** What there is to know of a task, or of a trace without one, beside its snapshot. */
	readonly detail: (target: DetailTarget) => Promise<DetailFacts>;
	/** A trace through all that was said of it. */
	readonly history: (traceId: string) => Promise<Outcome<TraceHistory>>;
	/** What this machine remembers of reviews. */
	readonly reviews: {
		readonly read: () => Promise<ReviewMemory>;
		/** What became another since `before`: another dashboard of this machine may have written too. */
		readonly write: (memory: ReviewMemory, before: ReviewMemory) => Promise<void>;
	};
	/** What of the configuration awaits a person. */
	readonly configurationChanges: () => Promise<ConfigurationChanges>;
	/** What differs between two trees of this repository. */
	readonly compare: (trees: {
		readonly before: string;
		readonly after: string;
		/** Files to look at; all of them without. */
		readonly paths?: readonly string[];
	}) => Promise<Outcome<Comparison>>;
	/** Lines of a file by git's id of it, where they can be had. */
	readonly lines: (blob: string) => Promise<readonly string[] | undefined>;
	/** Does an action of the table. */
	readonly act: (id: ActionId, input: Readonly<Record<string, unknown>>) => Promise<Outcome<Acted>>;
	/**
	 * What this machine keeps of how the colony was shown last, and how that is changed; a machine that cannot
	 * write keeps nothing.
	 */
	readonly remembered: Remembered;
	readonly remember: Remember;
	/** UTC milliseconds. */
	readonly now: () => number;
};
