/** Of a file below `.hive` but those of runs: a larger one is not read. */
export const mostConfigurationBytes = 1024 * 1024;

/**
 * Files of the colony and of the machine-local directory. Paths are absolute; links are never followed on
 * write (docs/reliability.md I14), and below `.hive` not to read either: what is there in place of a regular
 * file is refused. Without a `mode`, files and folders of runs are private (docs/rules.md §7), and the umask
 * decides of others. A folder that is made for a private file is private.
 */
export type Files = {
	/** The text, or nothing when there is no such file. */
	readonly read: (path: string) => Promise<string | undefined>;
	/** From `offset`, at most `length` bytes. */
	readonly readBytes: (path: string, offset: number, length: number) => Promise<Uint8Array>;
	/** Something is there and it is a symbolic link. */
	readonly isLink: (path: string) => Promise<boolean>;
	/** Nobody but its owner may read or write it. */
	readonly isPrivate: (path: string) => Promise<boolean>;
	/** Size in bytes, or nothing when there is no such file. */
	readonly size: (path: string) => Promise<number | undefined>;
	/** When the file was written last, in UTC milliseconds, or nothing when there is no such file. */
	readonly writtenAt: (path: string) => Promise<number | undefined>;
	/** Replaces the file in one step (temporary file and rename); makes its folder. */
	readonly write: (path: string, text: string, options?: {mode?: number}) => Promise<void>;
	/** Adds text at the end; makes the file and its folder. */
	readonly append: (path: string, text: string) => Promise<void>;
	/** Creates the file; false when it exists. */
	readonly create: (path: string, text: string, options?: {mode?: number}) => Promise<boolean>;
	/** Names in a folder, sorted; empty when there is none. */
	readonly list: (path: string) => Promise<string[]>;
	/** `mode` is that of folders it has to make. False when it was there. */
	readonly makeFolder: (path: string, options?: {mode?: number}) => Promise<boolean>;
	/**
	 * Makes a folder and these files in it, text by name; false, and nothing is done, when something is there.
	 * It is never exchanged for another: whoever watches it from its first moment sees them come.
	 */
	readonly createFolder: (
		path: string,
		texts: Readonly<Record<string, string>>,
		options?: {mode?: number},
	) => Promise<boolean>;
	/**
	 * SHA-256 by relative path, with slashes, of the regular files below a folder; names that are not wanted
	 * are left out with what is below them. A link counts when it leads to a file in the folder; no linked
	 * folder is entered.
	 */
	readonly hashes: (
		folder: string,
		isWanted: (name: string) => boolean,
	) => Promise<ReadonlyMap<string, string>>;
	readonly remove: (path: string) => Promise<void>;
	/** Renames a folder in one step. What is at the new path must be an empty folder or nothing. */
	readonly move: (from: string, to: string) => Promise<void>;
	/**
	 * Calls back when something in the folder changes, until the signal; without a name when it can only be
	 * that something has.
	 */
	readonly watch: (path: string, signal: AbortSignal, call: (name: string) => void) => void;
};
