import type {CommandOffer} from '../host/command-offer.ts';
import type {FaultLog} from '../host/fault-log.ts';
import type {Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';

/** What a command printed on both its outputs, and its exit code. */
type Printed = Awaited<ReturnType<Host['askSelf']>>;

/** Everything the dashboard knows of the outside: the live colony, and the terminal and process around it. */
export type World = LiveColony & {
	/** What is done is noted there, and a report of an internal error is written. */
	readonly faults: FaultLog;
	/** What goes wrong outside, as sentences. */
	readonly complaints: (signal: AbortSignal, call: (reason: string) => void) => void;
	/**
	 * Where the console beside it is reached, and the link that lets a browser in once; nothing while there is
	 * none.
	 */
	readonly consoleAt: () => {readonly url: string; readonly link: string} | undefined;
	/** Calls when it listens, again when it was started anew. */
	readonly consoleOpened: (signal: AbortSignal, call: () => void) => void;
	/**
	 * Before Ctrl+Z stops the process: gives up what others wait for (the reactor's lock). And after it
	 * continues.
	 */
	readonly suspend: () => Promise<void>;
	readonly resume: () => Promise<void>;
	/** Every command of the command line. */
	readonly commands: () => Promise<readonly CommandOffer[]>;
	/** Runs one of them, given by its words without `hive`, until it ends or the signal comes. */
	readonly runCommand: (words: readonly string[], signal: AbortSignal) => Promise<Printed>;
	/** Gives text to the clipboard of this machine, where it has one. */
	readonly copy: (text: string) => void;
	/**
	 * Gives the terminal to a session, as its program draws it, until the person leaves it or it ends. Answers
	 * why it could not, else nothing.
	 */
	readonly attach: (sessionId: string) => Promise<string>;
	/** Starts a program of the person's with more variables; throws when it cannot be started. */
	readonly launch: (argv: readonly string[], variables: Readonly<Record<string, string>>) => Promise<void>;
	/**
	 * They own the terminal until they resolve. `edit` answers with the text, or nothing when it was left
	 * unsaved; `editFile` takes a path, a relative one below the root.
	 */
	readonly openPager: (text: string) => Promise<void>;
	readonly edit: (text: string) => Promise<string | undefined>;
	readonly editFile: (file: string) => Promise<void>;
};
