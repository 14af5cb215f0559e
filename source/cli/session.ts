import type {ActionContext, ConfigContext} from '../actions/context.ts';
import type {Diagnosis} from '../actions/diagnose.ts';
import type {InitReport} from '../actions/init.ts';
import type {Followed} from '../colony/reload.ts';
import type {Detail, Outcome} from '../domain/errors.ts';
import type {ChildHandle} from '../ports/child.ts';
import type {Git} from '../ports/git.ts';
import type {OutsidePrograms} from '../ports/outside-programs.ts';
import type {CommandGroup} from './commands.ts';

/** The dashboard is a bundle of its own, read only when it is shown. */
export type LoadDashboard = () => Promise<typeof import('../dashboard/main.ts')>;

/** What the process around a command is; the same in a test as at a prompt. */
export type Host = {
	/** Where colony resolution starts: the working directory, or `--path`. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** All of standard input, read once. */
	readonly stdin: () => Promise<string>;
	/** Event id under which the entry has already offered standard input to a reactor; emit it under the same. */
	readonly offeredAs: string | undefined;
	readonly stdout: {
		readonly isTTY: boolean;
		/** Width to fit tables into; absent when there is no terminal. */
		readonly columns: number | undefined;
		readonly color: boolean;
	};
	/** The first frame of the dashboard is on the screen already. */
	readonly isPainted: boolean;
	readonly loadDashboard: LoadDashboard;
	/** `--color`. */
	readonly color: 'auto' | 'always' | 'never';
	/** The result is printed as JSON. */
	readonly json: boolean;
	/** Aborted by SIGINT or SIGTERM, and when nobody reads standard output any more. */
	readonly signal: AbortSignal;
	/** Every command there is, for the ones that describe the others. */
	readonly commands: readonly CommandGroup[];
};

/** A reactor that runs in this process. */
export type LiveReactor = {
	/** Resolves when nothing is owed that could be done now and no run of this checkout is open. */
	readonly idle: () => Promise<void>;
	/** Rejects when the log cannot be followed any more. */
	readonly over: Promise<void>;
	/** Lets go of the lock; runs go on. */
	readonly close: () => Promise<void>;
};

export type ReactOptions = {
	/** Only this trace is worked on. */
	readonly only?: string | undefined;
	/** Told what fails and is tried again. */
	readonly report: (message: string) => void;
};

/** What the reactor of this checkout says of itself. */
export type ReactorStatus = {
	readonly pid: number;
	readonly startedAt: string;
	readonly idle: boolean;
	/** The trace that it works on, when that is the only one. */
	readonly only?: string | undefined;
	/** What is wrong with its configuration, and what of the files it does not use yet. */
	readonly problems: readonly Detail[];
};

/** Keeps the configuration of an open colony as its files are, until the signal. */
export type FollowConfiguration = (following: {
	readonly signal: AbortSignal;
	/** Told in sentences what is new, once it counts. */
	readonly changed: (news: readonly string[]) => void;
}) => Promise<Omit<Followed, 'first'>>;

/** What a command works with. Nothing is opened until it asks. */
export type Session = Host & {
	/** The colony and its drivers. Throws `HiveError` (`not_a_repository`, `no_colony`, `bus_unreachable`…). */
	readonly open: () => Promise<ActionContext>;
	/** The colony's files alone, for commands that need no log. Throws as `open` does. */
	readonly configuration: () => Promise<ConfigContext>;
	/** Examines the colony and this machine, and makes nothing. */
	readonly diagnose: () => Promise<Outcome<Diagnosis>>;
	/** Keys and tokens that no text may carry out (reliability.md I12). */
	readonly secrets: () => Promise<readonly string[]>;
	/** Makes this checkout a colony. */
	readonly init: (input: {agent: string | undefined}) => Promise<Outcome<InitReport>>;
	/** Starts the reactor of this checkout here; nothing when another process has it. */
	readonly react: (options: ReactOptions) => Promise<LiveReactor | undefined>;
	/** Throws `invalid_config` while no reactor could start here for the files of this machine. */
	readonly expectUsable: () => Promise<void>;
	/** Keeps the `colony` of what `open` gave as its files are. */
	readonly followConfiguration: FollowConfiguration;
	/** A person has seen the configuration's files as they are: what waited for that counts. Refused inside a run. */
	readonly acceptConfiguration: () => Promise<Outcome<void>>;
	/** The live reactor of this checkout, wherever it runs. */
	readonly reactor: () => Promise<ReactorStatus | undefined>;
	/** Starts this hive as another process; `end` it, or it ends with this one. */
	readonly spawnSelf: (args: readonly string[]) => Promise<ChildHandle>;
	/** The person's pager and editor. */
	readonly programs: () => Promise<OutsidePrograms>;
	/** What works without a colony. */
	readonly tools: () => Promise<{readonly git: Git}>;
	/** A session of its own for another folder. */
	readonly at: (folder: string) => Session;
	/** Lets go of what was opened. */
	readonly close: () => Promise<void>;
};
