/** Maximum size of a file below `.hive`, except those of runs. A larger file is not read. */
export const maxConfigurationBytes = 1024 * 1024;

/**
 * Files of the colony and of the machine-local directory. Paths are absolute. Links are never followed on
 * write (docs/reliability.md I14). Below `.hive` they are not followed on read either: a path that is no
 * regular file is refused. Without a `mode`, files and folders of runs are private (docs/rules.md §7), and
 * the umask decides for others. A folder that is made for a private file is private.
 */
export type Files = {
	/** Returns the text, or `undefined` if there is no such file. */
	readonly read: (path: string) => Promise<string | undefined>;
	/** Returns at most `length` bytes from `offset`. */
	readonly readBytes: (path: string, offset: number, length: number) => Promise<Uint8Array>;
	/** True if the path is a symbolic link. */
	readonly isLink: (path: string) => Promise<boolean>;
	/** True if only its owner may read or write it. */
	readonly isPrivate: (path: string) => Promise<boolean>;
	/** Returns the size in bytes, or `undefined` if there is no such file. */
	readonly size: (path: string) => Promise<number | undefined>;
	/**
	 * Returns when the file was last written, in milliseconds since 1970, or `undefined` if there is no such
	 * file.
	 */
	readonly writtenAt: (path: string) => Promise<number | undefined>;
	/** Replaces the file atomically (temporary file and rename). Creates its folder. */
	readonly write: (path: string, text: string, options?: {mode?: number}) => Promise<void>;
	/** Adds text at the end. Creates the file and its folder. */
	readonly append: (path: string, text: string) => Promise<void>;
	/** Creates the file. Returns false if it exists. */
	readonly create: (path: string, text: string, options?: {mode?: number}) => Promise<boolean>;
	/** Returns the names in a folder, sorted; empty if there is no such folder. */
	readonly list: (path: string) => Promise<string[]>;
	/** Returns false if the folder existed. `mode` applies to the folders that it creates. */
	readonly makeFolder: (path: string, options?: {mode?: number}) => Promise<boolean>;
	/**
	 * Creates a folder with these files, text by name. Returns false and does nothing if the path exists. The
	 * folder is never replaced by another, so a watcher that starts when it appears sees the files come.
	 */
	readonly createFolder: (
		path: string,
		texts: Readonly<Record<string, string>>,
		options?: {mode?: number},
	) => Promise<boolean>;
	/**
	 * Returns the SHA-256 of each regular file below a folder, by relative path with slashes. Names that are
	 * not wanted are left out with everything below them. A link counts if it leads to a file in the folder; no
	 * linked folder is entered.
	 */
	readonly hashes: (
		folder: string,
		isWanted: (name: string) => boolean,
	) => Promise<ReadonlyMap<string, string>>;
	readonly remove: (path: string) => Promise<void>;
	/** Renames a folder atomically. The new path must be an empty folder or not exist. */
	readonly move: (from: string, to: string) => Promise<void>;
	/**
	 * Calls back when something in the folder changes, until the signal. The name is empty if the system
	 * reports a change without a name.
	 */
	readonly watch: (path: string, signal: AbortSignal, call: (name: string) => void) => void;
};
