import type {Outcome} from '../domain/errors.ts';
import type {Host} from '../host/host.ts';

/** How the command line shows the dashboard; the face itself is none of its business. Answers the exit code. */
export type ShowDashboard = (
	host: Host,
	look: {
		readonly color: 'auto' | 'always' | 'never';
		readonly screenReader: boolean;
		readonly signal: AbortSignal;
	},
) => Promise<Outcome<number>>;

/** Asks at the terminal whether to make a colony in this folder. */
export type OfferInit = (root: string) => Promise<boolean>;

/** What a command works with: the application, and the process around the command; the same in a test as at a prompt. */
export type Session = Host & {
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
	readonly showDashboard: ShowDashboard;
	readonly offerInit: OfferInit;
	/** `--color`. */
	readonly color: 'auto' | 'always' | 'never';
	/** The result is printed as JSON. */
	readonly json: boolean;
	/** Aborted by SIGINT or SIGTERM, and when nobody reads standard output any more. */
	readonly signal: AbortSignal;
};

/** The same command in another folder. */
export const sessionAt = (session: Session, folder: string): Session => ({...session, ...session.at(folder)});
