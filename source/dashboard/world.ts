import type {CommandOffer} from '../host/command-offer.ts';
import type {FaultLog} from '../host/fault-log.ts';
import type {Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';

/** The output of a command (both streams), and its exit code. */
type CommandOutput = Awaited<ReturnType<Host['askSelf']>>;

/** The dashboard's interface to the outside: the live colony, and the terminal and process around it. */
export type DashboardServices = LiveColony & {
	/** Records actions, and writes reports of internal errors. */
	readonly faults: FaultLog;
	/** Subscribes to problems of the outside, as sentences. */
	readonly onProblem: (signal: AbortSignal, call: (reason: string) => void) => void;
	/** The console's URL, and a link that logs a browser in once. Undefined if no console is served. */
	readonly consoleAt: () => {readonly url: string; readonly link: string} | undefined;
	/** Called when the console listens, and again after each restart. */
	readonly consoleOpened: (signal: AbortSignal, call: () => void) => void;
	/**
	 * Called before Ctrl+Z stops the process, to release what others wait for (the reactor's lock). `resume` is
	 * called after it continues.
	 */
	readonly beforeSuspend: () => Promise<void>;
	readonly afterResume: () => Promise<void>;
	/** All commands of the command line. */
	readonly commands: () => Promise<readonly CommandOffer[]>;
	/** Runs a command, given as words without `hive`, until it ends or the signal aborts. */
	readonly runCommand: (words: readonly string[], signal: AbortSignal) => Promise<CommandOutput>;
	/** Copies text to this machine's clipboard, if there is one. */
	readonly copy: (text: string) => void;
	/**
	 * Lends the terminal to a session until the person leaves it or it ends. Resolves with the reason of a
	 * failure, else an empty text.
	 */
	readonly attach: (sessionId: string) => Promise<string>;
	/** Starts a program of the person's with additional variables. Throws if it cannot be started. */
	readonly launch: (argv: readonly string[], variables: Readonly<Record<string, string>>) => Promise<void>;
	/**
	 * These own the terminal until they resolve. `edit` resolves with the text, or undefined if it was not
	 * saved. A relative path for `editFile` is below the root.
	 */
	readonly openPager: (text: string) => Promise<void>;
	readonly edit: (text: string, name?: string) => Promise<string | undefined>;
	readonly editFile: (file: string) => Promise<void>;
	/** Runs the person's shell in a folder. It owns the terminal until it ends. */
	readonly openShell: (folder: string) => Promise<void>;
};
