import type {Outcome} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {TaskStatus} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';

/** Facts of the header that do not change while the dashboard runs. */
export type Header = {
	readonly slug: string;
	readonly root: string;
	readonly branch: string;
	/** Where the log is, in a few words: `embedded`, `127.0.0.1:4222`. */
	readonly bus: string;
};

/** Snapshots as they change. `traces` is whole every time; `events` are those that changed it, oldest first. */
export type Update = {readonly traces: ReadonlyMap<string, Trace>; readonly events: readonly StoredEvent[]};

export type WorldStatus = {
	/** Who dispatches this colony: this process, another one, or nobody. */
	readonly reactor: 'here' | 'elsewhere' | 'none';
	/** `unreachable` makes every action refuse; `since` is UTC milliseconds. */
	readonly bus: {readonly state: 'live'} | {readonly state: 'unreachable'; readonly since: number};
};

type FileChange = {readonly path: string; readonly added: number; readonly removed: number};

/** What approving a task would merge or acknowledge. */
export type Preview = {
	readonly workspace: 'isolated' | 'root';
	/** The trace's branch and the one it would go to. */
	readonly branch: string;
	readonly base: string;
	/** Id of the tree that would be merged; sent back with the approval. */
	readonly tree: string;
	readonly files: readonly FileChange[];
	/** Unified diff, at most 1 MiB; `truncated` says that there is more. */
	readonly patch: string;
	readonly truncated: boolean;
	readonly conflicts: readonly string[];
	/** Unsaved files in the merge's way: it would be refused. */
	readonly unsaved: readonly string[];
	/** Unsaved files that the merge changes too: they will have both changes. */
	readonly carried: readonly string[];
	/** Paths of the work that git does not take: nothing is merged, nor left on the branch, without them. */
	readonly notTaken: readonly string[];
	/** Names of what makes git run programs here and was not there when a person last ran `hive init`. */
	readonly planted: readonly string[];
};

/** What was on screen when a person decided: the action is refused when it changed since (dashboard.md, Revalidate). */
export type Seen = {
	readonly status: TaskStatus;
	readonly agentId?: string;
	/** Sequence of the newest proposal. */
	readonly proposal?: number;
	/** Tree id of the preview. */
	readonly tree?: string;
};

type TaskTarget = {readonly traceId: string; readonly taskId: string; readonly seen: Seen};

/** A cue as the dialog offers it. */
export type CueOffer = {readonly id: string; readonly description: string};

/** Facts for the Colony tab, each a short line. */
type ColonyFacts = {
	readonly bees: readonly {readonly name: string; readonly note: string}[];
	readonly problems: readonly string[];
};

type Acted = Promise<Outcome<{readonly message: string}>>;

export type Acts = {
	/** `merge: false` leaves a final gate's work on its branch. */
	readonly approve: (target: TaskTarget & {readonly merge?: boolean}) => Acted;
	readonly reject: (target: TaskTarget & {readonly message: string}) => Acted;
	/** `feedback` leads the prompt of the next run; empty for none. */
	readonly retry: (target: TaskTarget & {readonly feedback: string}) => Acted;
	readonly cancel: (target: TaskTarget & {readonly reason: string}) => Acted;
	readonly kill: (input: {readonly traceId: string; readonly reason: string}) => Acted;
	readonly addEnergy: (input: {readonly traceId: string; readonly amount: number}) => Acted;
	readonly runCue: (input: {readonly cueId: string; readonly text: string}) => Acted;
};

/** Everything the dashboard knows of the outside. Feeds run until their signal; nothing here draws. */
export type World = {
	readonly header: Header;
	/** Of the configuration as it counts now. */
	readonly cues: readonly CueOffer[];
	readonly colony: ColonyFacts;
	/** Calls when `cues` or `colony` are others than before. */
	readonly reloaded: (signal: AbortSignal, call: () => void) => void;
	readonly follow: (signal: AbortSignal, call: (update: Update) => void) => void;
	readonly status: (signal: AbortSignal, call: (status: WorldStatus) => void) => void;
	/** What goes wrong outside, as sentences. */
	readonly complaints: (signal: AbortSignal, call: (reason: string) => void) => void;
	/** Standard output of a run from its start, then as it grows. Text as the agent wrote it, secrets redacted. */
	readonly log: (
		run: {readonly traceId: string; readonly agentId: string},
		signal: AbortSignal,
		call: (chunk: string) => void,
	) => void;
	readonly preview: (target: {
		readonly traceId: string;
		readonly taskId: string;
	}) => Promise<Outcome<Preview>>;
	readonly act: Acts;
	/** UTC milliseconds. */
	readonly now: () => number;
	/** Before Ctrl+Z stops the process: gives up what others wait for (the reactor's lock). And after it continues. */
	readonly suspend: () => Promise<void>;
	readonly resume: () => Promise<void>;
	/** Gives text to the clipboard of this machine, where it has one. */
	readonly copy: (text: string) => void;
	/** Both own the terminal until they resolve. `edit` answers with the text, or nothing when it was left unsaved. */
	readonly openPager: (text: string) => Promise<void>;
	readonly edit: (text: string) => Promise<string | undefined>;
};
