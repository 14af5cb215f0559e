import type {Device} from '../domain/device.ts';
import type {Outcome} from '../domain/errors.ts';
import type {CommandOffer} from '../host/command-offer.ts';
import type {Host, ReadIssue, TryBot, TryForge} from '../host/host.ts';

/** Shows the dashboard for the command line, which does not depend on that face. Returns the exit code. */
export type ShowDashboard = (
	host: Host,
	options: {
		readonly color: 'auto' | 'always' | 'never';
		readonly screenReader: boolean;
		/** True to serve the console beside it. */
		readonly console: boolean;
		/** One of the themes. Default: HIVE_THEME, else dark. */
		readonly theme?: string;
		readonly signal: AbortSignal;
		/** Every command of the command line. */
		readonly commands: () => Promise<readonly CommandOffer[]>;
	},
) => Promise<Outcome<number>>;

/** The console as the command line uses it: it starts it and gives out its keys. */
export type ConsoleFace = {
	/** Serves it until it is closed. `link` can be opened once. */
	readonly open: (
		host: Host,
		options: {
			readonly addr: string | undefined;
			readonly origins: readonly string[];
			readonly reactor: boolean;
			readonly report: (message: string) => void;
		},
	) => Promise<Outcome<{readonly url: string; readonly link: string; readonly close: () => Promise<void>}>>;
	/** Makes another link to the console that was started last. */
	readonly link: (host: Host, caller: ConsoleCaller) => Promise<Outcome<{readonly link: string}>>;
	/** Lists the logged-in browsers, the most recently used first. */
	readonly devices: (host: Host) => Promise<Outcome<readonly Device[]>>;
	/** Revokes one by its id; returns it as it was. */
	readonly revoke: (host: Host, device: string) => Promise<Outcome<Device>>;
	/** @param isNew makes a new token first, which revokes everything that was given out before */
	readonly token: (
		host: Host,
		options: Pick<ConsoleCaller, 'scope'> & {readonly isNew: boolean},
	) => Promise<Outcome<{readonly token: string}>>;
};

type ConsoleCaller = {readonly scope: 'act' | 'read'; readonly label: string};

/** The watcher of pull requests as the command line uses it. */
export type ForgeFace = {
	/** Asks the forge what this person's token may do. */
	readonly tryForge: (env: Host['env'], ...asked: Parameters<TryForge>) => ReturnType<TryForge>;
	/** Reads an issue at the forge with this person's token. */
	readonly readIssue: (env: Host['env'], ...asked: Parameters<ReadIssue>) => ReturnType<ReadIssue>;
	readonly watchForge: (
		host: Host,
		options: {
			readonly signal: AbortSignal;
			/** Ends once nothing can be sent now. */
			readonly once: boolean;
			/** Limits it to this trace. */
			readonly only: string | undefined;
			readonly report: (message: string) => void;
		},
	) => Promise<Outcome<void>>;
};

/** The chat gateway as the command line uses it: it starts it and manages its chats. */
export type ChatFace = {
	readonly runGateway: (
		host: Host,
		options: {readonly signal: AbortSignal; readonly report: (message: string) => void},
	) => Promise<Outcome<void>>;
	/** Makes a code that adds a chat. */
	readonly makeCode: (host: Host) => Promise<Outcome<string>>;
	/** Lists the paired people, each with their chat; `pairedAt` in ISO 8601. */
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
	/** Removes the pairings of a chat. Returns their users, and whether chat.yaml still names the chat. */
	readonly unpairChat: (
		host: Host,
		chat: string,
	) => Promise<Outcome<{readonly users: readonly string[]; readonly isNamed: boolean}>>;
	/** Asks the platform whether the bot could receive messages. */
	readonly tryBot: TryBot;
};

/** The MCP server as the command line uses it. */
export type McpFace = {
	/** Serves until standard input ends. */
	readonly serveMcp: (options: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly cwd: string;
		readonly tools?: readonly string[] | undefined;
	}) => Promise<void>;
};

/** Asks at the terminal whether to make a colony in this folder. */
export type OfferInit = (root: string) => Promise<boolean>;

/**
 * What a command works with: the application, and the process around the command. The same in a test as at a
 * prompt.
 */
export type CommandContext = Host & {
	/** All of standard input, read once. */
	readonly stdin: () => Promise<string>;
	/** Id under which the entry point has offered the input to a reactor; emit it under the same id. */
	readonly offeredAs: string | undefined;
	readonly stdout: {
		readonly isTTY: boolean;
		/** Width for tables; absent when there is no terminal. */
		readonly columns: number | undefined;
		readonly color: boolean;
	};
	readonly showDashboard: ShowDashboard;
	readonly offerInit: OfferInit;
	readonly loadConsole: () => Promise<ConsoleFace>;
	/** Loads the chat's code only when it is needed. */
	readonly loadChat: () => Promise<ChatFace>;
	/** Loads the MCP server's code only when it is needed. */
	readonly loadMcp: () => Promise<McpFace>;
	/** Loads the watcher of pull requests only when it is needed. */
	readonly loadForge: () => Promise<ForgeFace>;
	/** `--color`. */
	readonly color: 'auto' | 'always' | 'never';
	/** True if the result is printed as JSON. */
	readonly json: boolean;
	/** Aborted by SIGINT or SIGTERM, and when the reader of standard output has closed it. */
	readonly signal: AbortSignal;
};

/** The same session in another folder. */
export const contextAt = (context: CommandContext, folder: string): CommandContext => ({
	...context,
	...context.at(folder),
});
