import type {Device} from '../domain/device.ts';
import type {Outcome} from '../domain/errors.ts';
import type {CommandOffer} from '../host/command-offer.ts';
import type {Host, TryBot} from '../host/host.ts';

/**
 * How the command line shows the dashboard; the face itself is none of its business. Answers the exit code.
 */
export type ShowDashboard = (
	host: Host,
	look: {
		readonly color: 'auto' | 'always' | 'never';
		readonly screenReader: boolean;
		/** The console is served beside it. */
		readonly console: boolean;
		/** One of the themes; HIVE_THEME, else dark. */
		readonly theme?: string;
		readonly signal: AbortSignal;
		/** Every command of the command line. */
		readonly commands: () => Promise<readonly CommandOffer[]>;
	},
) => Promise<Outcome<number>>;

/** The console as the command line starts it and gives out its keys. */
export type ConsoleFace = {
	/** Serves it until it is closed; `link` can be opened once. */
	readonly open: (
		host: Host,
		options: {
			readonly addr: string | undefined;
			readonly origins: readonly string[];
			readonly reactor: boolean;
			readonly report: (message: string) => void;
		},
	) => Promise<Outcome<{readonly url: string; readonly link: string; readonly close: () => Promise<void>}>>;
	/** Another link to the console that was started last. */
	readonly link: (host: Host, caller: ConsoleCaller) => Promise<Outcome<{readonly link: string}>>;
	/** The browsers that are logged in, the one used last first. */
	readonly devices: (host: Host) => Promise<Outcome<readonly Device[]>>;
	/** Ends one, by its id; answers what it was. */
	readonly revoke: (host: Host, device: string) => Promise<Outcome<Device>>;
	/** @param isNew makes another first, which ends all that was given out before */
	readonly token: (
		host: Host,
		options: Pick<ConsoleCaller, 'scope'> & {readonly isNew: boolean},
	) => Promise<Outcome<{readonly token: string}>>;
};

type ConsoleCaller = {readonly scope: 'act' | 'read'; readonly label: string};

/** The chat gateway as the command line starts it, and says whom it listens to. */
export type ChatFace = {
	readonly runGateway: (
		host: Host,
		options: {readonly signal: AbortSignal; readonly report: (message: string) => void},
	) => Promise<Outcome<void>>;
	/** A code that adds a chat. */
	readonly makeCode: (host: Host) => Promise<Outcome<string>>;
	/** Who is listened to, a person in a chat each; `pairedAt` in ISO 8601. */
	readonly listChats: (host: Host) => Promise<
		Outcome<
			readonly {
				readonly chat: string;
				readonly user: string;
				readonly by: 'chat.yaml' | 'pairing';
				readonly pairedAt?: string;
			}[]
		>
	>;
	/** Takes the pairings of a chat back; answers whose, and whether chat.yaml names the chat still. */
	readonly unpairChat: (
		host: Host,
		chat: string,
	) => Promise<Outcome<{readonly users: readonly string[]; readonly isNamed: boolean}>>;
	/** Whether the bot could hear anything, asked of its platform. */
	readonly tryBot: TryBot;
};

/** Asks at the terminal whether to make a colony in this folder. */
export type OfferInit = (root: string) => Promise<boolean>;

/**
 * What a command works with: the application, and the process around the command; the same in a test as at a
 * prompt.
 */
export type Session = Host & {
	/** All of standard input, read once. */
	readonly stdin: () => Promise<string>;
	/**
	 * Event id under which the entry has already offered standard input to a reactor; emit it under the same.
	 */
	readonly offeredAs: string | undefined;
	readonly stdout: {
		readonly isTTY: boolean;
		/** Width to fit tables into; absent when there is no terminal. */
		readonly columns: number | undefined;
		readonly color: boolean;
	};
	readonly showDashboard: ShowDashboard;
	readonly offerInit: OfferInit;
	readonly loadConsole: () => Promise<ConsoleFace>;
	/** It is read only when it is asked for. */
	readonly loadChat: () => Promise<ChatFace>;
	/** `--color`. */
	readonly color: 'auto' | 'always' | 'never';
	/** The result is printed as JSON. */
	readonly json: boolean;
	/** Aborted by SIGINT or SIGTERM, and when nobody reads standard output any more. */
	readonly signal: AbortSignal;
};

/** The same command in another folder. */
export const sessionAt = (session: Session, folder: string): Session => ({...session, ...session.at(folder)});
