import type {ActionContext, ConfigContext} from '../actions/context.ts';
import type {Diagnosis} from '../actions/diagnose.ts';
import type {TryBot} from '../actions/doctor/surveyed-bot.ts';
import type {TryForge} from '../actions/doctor/surveyed-forge.ts';
import type {ReadIssue} from '../actions/find-issue.ts';
import type {InitInput, InitReport} from '../actions/init.ts';

import type {ChatSettings} from '../colony/chat-settings.ts';
import type {ConfigurationStore} from '../colony/configuration/store.ts';
import type {TerminalSettings} from '../colony/terminal-settings.ts';
import type {Outcome} from '../domain/errors.ts';
import type {TortureReport} from '../domain/torture.ts';

import type {ChildEnd, ChildHandle, Printed} from '../ports/child.ts';
import type {Git} from '../ports/git.ts';
import type {OutsidePrograms} from '../ports/outside-programs.ts';
import type {ReactorStatus} from '../ports/reactor-channel.ts';

import type {ContainmentShown, ContainmentTried} from './containment.ts';
import type {EmitAnswer} from './emit/answer-emit.ts';
import type {FaultLog} from './fault-log.ts';
import type {MovedLog} from './log-admin/move-log.ts';
import type {LogVerified} from './log-admin/verify-log.ts';

export type {Diagnosis} from '../actions/diagnose.ts';
export type {TryBot} from '../actions/doctor/surveyed-bot.ts';
export type {TryForge} from '../actions/doctor/surveyed-forge.ts';
export type {ReadIssue} from '../actions/find-issue.ts';
export type {InitInput, InitReport} from '../actions/init.ts';
export type {ChatSettings} from '../colony/chat-settings.ts';
export type {ReactorStatus} from '../ports/reactor-channel.ts';

/** Whether a project's tests passed; the reason is a clause without a full stop. */
export type TriedTests =
	| {readonly passed: true}
	| {readonly passed: false; readonly reason: string; readonly tail: string};

/** The environment of a face: the same in a test as at a prompt. */
export type Surroundings = {
	/** Start of the search for the colony: the working directory, or `--path`. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly faults: FaultLog;
	/** Absent: this process reaches no forge. */
	readonly readIssue?: ReadIssue;
};

/** A reactor that runs in this process. */
export type LiveReactor = {
	/** Resolves when nothing pending can be done now and no run of this checkout is open. */
	readonly idle: () => Promise<void>;
	/** Rejects when the log can no longer be followed. */
	readonly over: Promise<void>;
	/** Releases the lock; runs go on. */
	readonly close: () => Promise<void>;
};

export type ReactOptions = {
	/** Limits the reactor to this trace. */
	readonly only?: string | undefined;
	/** Set if it only lands what people approved, and starts no agent. */
	readonly landsOnly?: true;
	/** Called with each failure that is retried. */
	readonly report: (message: string) => void;
};

/** The input of `hive bus move`. */
export type BusMove = {
	/** The address of a server, or `embedded`. */
	readonly to: string;
	/** True to remove a closed log or a copy that is there. */
	readonly replace: boolean;
};

/** The result of `hive bus move`: both addresses as they are shown to people. */
export type BusMoved = MovedLog & {
	readonly from: string;
	readonly to: string;
	/** New name of the file of an earlier log of this checkout. */
	readonly aside: string | undefined;
	/** True if `HIVE_BUS_URL` names another address than the log now has. */
	readonly overridden: boolean;
};

/** The result of `hive bus verify`. */
export type BusVerified = LogVerified & {
	/** Number of checkpoints and task files that were rebuilt first, if that was requested. */
	readonly rebuilt: {readonly checkpoints: number; readonly tasks: number} | undefined;
};

/** An emitted event, to be put into the spool of a run. */
export type QueuedEvent = {
	/** Reads the event. Called once, and only if the spool is needed. */
	readonly text: () => Promise<string>;
	/** Id to publish it under. Default: a new one, unless it was already offered under an id. */
	readonly id?: string | undefined;
	/** True if it is to be published only when the run ends well. */
	readonly defer: boolean;
	/** Agent id for an event that names none. */
	readonly agent?: string | undefined;
};

type FollowConfiguration = ConfigurationStore['follow'];

/** The application behind every face. It opens drivers only when they are first needed. */
export type Host = Surroundings & {
	/**
	 * Opens the colony and its drivers. Throws `HiveError` (`not_a_repository`, `no_colony`,
	 * `bus_unreachable`…).
	 */
	readonly open: () => Promise<ActionContext>;
	/**
	 * If a sandbox blocks the run's access to the log, spools the event and returns the answer for it
	 * (docs/rules.md §5). Else returns undefined. Throws `invalid_json`, `event_too_large`, `too_many_events`,
	 * `bus_unreachable`, and every error of locating a colony.
	 */
	readonly queueEvent: (event: QueuedEvent) => Promise<EmitAnswer | undefined>;
	/** Reads the colony's files as they are now, for commands that need no log. Throws as `open` does. */
	readonly configuration: () => Promise<ConfigContext>;
	/** Examines the colony and this machine. Creates nothing. */
	readonly diagnose: (tryBot: TryBot, tryForge: TryForge) => Promise<Outcome<Diagnosis>>;
	/** Returns the containment of a bee's runs. Creates nothing. */
	readonly showContainment: (role: string) => Promise<Outcome<ContainmentShown>>;
	/**
	 * Runs a command with the streams of this process in the containment of a bee. Refused inside a run, and
	 * with `not_contained`.
	 *
	 * @param options `quiet`: print its standard output on standard error
	 */
	readonly tryContained: (
		role: string,
		options: {readonly argv: readonly string[]; readonly signal: AbortSignal; readonly quiet: boolean},
	) => Promise<Outcome<ContainmentTried>>;
	/**
	 * Returns the machine-local folder of this checkout (docs/rules.md §11), absolute. Throws as `open` does.
	 */
	readonly machineFolder: () => Promise<string>;
	/** Returns the keys and tokens that no text may contain (docs/reliability.md I12). */
	readonly secrets: () => Promise<readonly string[]>;
	/** Makes this checkout a colony. */
	readonly init: (input: InitInput) => Promise<Outcome<InitReport>>;
	/**
	 * Runs these commands one after the other on a clean copy of the last commit, for at most two minutes. Call
	 * it only if the person at the terminal said so, since they are the repository's.
	 */
	readonly tryTests: (commands: readonly (readonly string[])[], signal: AbortSignal) => Promise<TriedTests>;
	/** Plays faults on a copy of the repository around the working directory. Refused with `no_space`. */
	readonly torture: (minutes: number, signal: AbortSignal) => Promise<Outcome<TortureReport>>;
	/** Commits `.hive/` alone with the person's own git. Returns what git printed if that failed. */
	readonly commitColony: (signal: AbortSignal) => Promise<string | undefined>;
	/** Starts the reactor of this checkout in this process; undefined when another process has it. */
	readonly react: (options: ReactOptions) => Promise<LiveReactor | undefined>;
	/** Throws `bus_unreachable` if the configuration now names another bus than the one that `open` opened. */
	readonly expectSameBus: () => Promise<void>;
	/** Throws `invalid_config` if a reactor could not start with the files of this machine. */
	readonly expectUsable: () => Promise<void>;
	/** Keeps the `colony` that `open` returned up to date with its files. */
	readonly followConfiguration: FollowConfiguration;
	/**
	 * Moves the log to a server's address, or with `embedded` into the file of this checkout, and records it in
	 * `config.yaml`. May be repeated until it is done. Refused inside a run, and while any process works on the
	 * log.
	 */
	readonly moveBus: (move: BusMove, signal: AbortSignal) => Promise<Outcome<BusMoved>>;
	/**
	 * Examines the whole log and everything derived from it.
	 *
	 * @param rebuild first rebuilds what differs from the log
	 */
	readonly verifyBus: (rebuild: boolean) => Promise<Outcome<BusVerified>>;
	/** Returns the live reactor of this checkout, in whichever process it runs. */
	readonly reactor: () => Promise<ReactorStatus | undefined>;
	/**
	 * Starts this hive as a child process, and calls `hear` for each line that it prints. It ends with `end`,
	 * or with this process.
	 */
	readonly spawnSelf: (args: readonly string[], onLine?: (line: string) => void) => Promise<ChildHandle>;
	/** Returns where sessions open on this machine. Throws `invalid_config`. */
	readonly terminal: () => Promise<TerminalSettings>;
	/**
	 * Returns how a person is notified and answers by chat; undefined if `chat.yaml` does not enable it. Throws
	 * `invalid_config`.
	 */
	readonly chat: () => Promise<ChatSettings | undefined>;
	/** Runs this hive on the terminal of this process until it ends. */
	readonly runSelf: (args: readonly string[]) => Promise<ChildEnd>;
	/** Runs this hive without a terminal, until it ends or the signal is aborted. */
	readonly askSelf: (args: readonly string[], signal: AbortSignal) => Promise<Printed>;
	/** Returns the person's pager and editor. */
	readonly programs: () => Promise<OutsidePrograms>;
	/** Returns tools that need no colony. */
	readonly tools: () => Promise<{readonly git: Git}>;
	/** Returns the application for another folder. */
	readonly at: (folder: string) => Host;
	/** Closes everything that was opened. */
	readonly close: () => Promise<void>;
};
