/**
 * Programs that the person chose. The pager and the editor own the terminal until they end, and throw if they
 * cannot be started.
 */
export type OutsidePrograms = {
	readonly page: (text: string) => Promise<void>;
	/**
	 * Returns the saved text, or `undefined` if the editor failed.
	 *
	 * @param name of its file, from which editors know the language; `text.md` by default
	 */
	readonly edit: (text: string, name?: string) => Promise<string | undefined>;
	/** Opens an existing file by its path. The person's changes stay in it. */
	readonly editFile: (path: string) => Promise<void>;
	/** Runs the person's shell in a folder until it ends. */
	readonly shell: (folder: string) => Promise<void>;
	/**
	 * Starts a program that outlives this process, for example in its own window. Throws if it cannot be
	 * started.
	 */
	readonly launch: (argv: readonly string[], variables?: Readonly<Record<string, string>>) => Promise<void>;
	/** Copies the text to the clipboard of this machine, if a tool for that is installed. Never fails. */
	readonly copy: (text: string) => void;
};
