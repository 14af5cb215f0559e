import type {ActionContext, ConfigContext} from '../actions/context.ts';
import type {Diagnosis} from '../actions/diagnose.ts';
import type {TryBot} from '../actions/doctor/surveyed-bot.ts';
import type {InitInput, InitReport} from '../actions/init.ts';

import type {ChatSettings} from '../colony/chat-settings.ts';
import type {ConfigurationStore} from '../colony/configuration/store.ts';
import type {TerminalSettings} from '../colony/terminal-settings.ts';
import type {Outcome} from '../domain/errors.ts';

import type {ChildEnd, ChildHandle, Printed} from '../ports/child.ts';
import type {Git} from '../ports/git.ts';
import type {OutsidePrograms} from '../ports/outside-programs.ts';
import type {ReactorStatus} from '../ports/reactor-channel.ts';

import type {EmitAnswer} from './emit/answer-emit.ts';
import type {FaultLog} from './fault-log.ts';
import type {MovedLog} from './log-admin/move-log.ts';
import type {LogVerified} from './log-admin/verify-log.ts';

export type {Diagnosis} from '../actions/diagnose.ts';
export type {TryBot} from '../actions/doctor/surveyed-bot.ts';
export type {InitInput} from '../actions/init.ts';
export type {ChatSettings} from '../colony/chat-settings.ts';
export type {ReactorStatus} from '../ports/reactor-channel.ts';

/** Where a face runs: the same in a test as at a prompt. */
export type Surroundings = {
	/** Where the colony is looked for: the working directory, or `--path`. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly faults: FaultLog;
};

/** A reactor that runs in this process. */
export type LiveReactor = {
	/** Resolves when nothing is pending that could be done now and no run of this checkout is open. */
	readonly idle: () => Promise<void>;
	/** Rejects when the log cannot be followed any more. */
	readonly over: Promise<void>;
	/** Lets go of the lock; runs go on. */
	readonly close: () => Promise<void>;
};

export type ReactOptions = {
	/** Only this trace is worked on. */
	readonly only?: string | undefined;
	/** Called with what fails and is tried again. */
	readonly report: (message: string) => void;
};

/** What `hive bus move` did: from and to as people are shown them. */
export type BusMoved = MovedLog & {
	readonly from: string;
	readonly to: string;
	/** The file of an earlier log of this checkout, by its new name. */
	readonly aside: string | undefined;
	/** `HIVE_BUS_URL` names another place than the log has by now. */
	readonly overridden: boolean;
};

/** What `hive bus verify` found. */
export type BusVerified = LogVerified & {
	/** What was made again first, where that was asked for: checkpoints, and files of tasks. */
	readonly rebuilt: {readonly checkpoints: number; readonly tasks: number} | undefined;
};

/** An event as it is read, for the spool of a run. */
export type QueuedEvent = {
	/** Called once, where the spool is needed. */
	readonly text: () => Promise<string>;
	/** Id to publish it under; a new one unless it was offered under one before. */
	readonly id?: string | undefined;
	/** It is to be published when the run ends well. */
	readonly defer: boolean;
	/** Agent id for an event that names none. */
	readonly agent?: string | undefined;
};

type FollowConfiguration = ConfigurationStore['follow'];

/** The application that every face stands on. Nothing is opened until it is asked for. */
export type Host = Surroundings & {
	/** The colony and its drivers. Throws `HiveError` (`not_a_repository`, `no_colony`, `bus_unreachable`…). */
	readonly open: () => Promise<ActionContext>;
	/**
	 * Leaves an event where a run is kept from the log by its sandbox, and answers that (docs/rules.md §5);
	 * nothing where it is not. Throws `invalid_json`, `event_too_large`, `too_many_events`, `bus_unreachable`,
	 * and what keeps a colony from being found.
	 */
	readonly queueEvent: (event: QueuedEvent) => Promise<EmitAnswer | undefined>;
	/** The colony's files as they are now, alone, for commands that need no log. Throws as `open` does. */
	readonly configuration: () => Promise<ConfigContext>;
	/** Examines the colony and this machine, and makes nothing. */
	readonly diagnose: (tryBot: TryBot) => Promise<Outcome<Diagnosis>>;
	/** The machine-local folder of this checkout (docs/rules.md §11), absolute. Throws as `open` does. */
	readonly machineFolder: () => Promise<string>;
	/** Keys and tokens that no text may carry out (docs/reliability.md I12). */
	readonly secrets: () => Promise<readonly string[]>;
	/** Makes this checkout a colony. */
	readonly init: (input: InitInput) => Promise<Outcome<InitReport>>;
	/** Starts the reactor of this checkout here; nothing when another process has it. */
	readonly react: (options: ReactOptions) => Promise<LiveReactor | undefined>;
	/** Throws `bus_unreachable` once another bus is named than that of what `open` gave. */
	readonly expectSameBus: () => Promise<void>;
	/** Throws `invalid_config` while no reactor could start here for the files of this machine. */
	readonly expectUsable: () => Promise<void>;
	/** Keeps the `colony` of what `open` gave as its files are. */
	readonly followConfiguration: FollowConfiguration;
	/**
	 * Moves the log to the address of a server, or with `embedded` into the file of this checkout, and names
	 * that in `config.yaml`. May be repeated until it is done. Refused inside a run, and while anybody works on
	 * the log.
	 */
	readonly moveBus: (to: string, signal: AbortSignal) => Promise<Outcome<BusMoved>>;
	/**
	 * Examines the whole log and what was made of it.
	 *
	 * @param rebuild first makes again what is not as the log has it
	 */
	readonly verifyBus: (rebuild: boolean) => Promise<Outcome<BusVerified>>;
	/** The live reactor of this checkout, wherever it runs. */
	readonly reactor: () => Promise<ReactorStatus | undefined>;
	/**
	 * Starts this hive as another process, and calls for each line that it prints; `end` it, or it ends with
	 * this one.
	 */
	readonly spawnSelf: (args: readonly string[], hear?: (line: string) => void) => Promise<ChildHandle>;
	/** Where sessions open on this machine. Throws `invalid_config`. */
	readonly terminal: () => Promise<TerminalSettings>;
	/**
	 * How a person is told and answers elsewhere; nothing where `chat.yaml` does not enable that. Throws
	 * `invalid_config`.
	 */
	readonly chat: () => Promise<ChatSettings | undefined>;
	/** Runs this hive on the terminal of this process until it ends. */
	readonly runSelf: (args: readonly string[]) => Promise<ChildEnd>;
	/** Runs this hive without a terminal, until it ends or the signal comes. */
	readonly askSelf: (args: readonly string[], signal: AbortSignal) => Promise<Printed>;
	/** The person's pager and editor. */
	readonly programs: () => Promise<OutsidePrograms>;
	/** What works without a colony. */
	readonly tools: () => Promise<{readonly git: Git}>;
	/** The application of another folder. */
	readonly at: (folder: string) => Host;
	/** Lets go of what was opened. */
	readonly close: () => Promise<void>;
};
