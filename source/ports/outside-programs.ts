/**
 * Programs of the person's choice. The pager and the editor own the terminal until they end; they throw when
 * they cannot be opened.
 */
export type OutsidePrograms = {
	readonly page: (text: string) => Promise<void>;
	/** The text as it was saved; nothing when the editor failed. */
	readonly edit: (text: string) => Promise<string | undefined>;
	/** Opens a file that is there, by its path, and leaves it as the person does. */
	readonly editFile: (path: string) => Promise<void>;
	/**
	 * Starts a program that outlives this process, in a window of its own for example; throws when it cannot be
	 * started.
	 */
	readonly launch: (argv: readonly string[], variables?: Readonly<Record<string, string>>) => Promise<void>;
	/** Hands the text to the clipboard of this machine, where a tool for that is installed; never fails. */
	readonly copy: (text: string) => void;
};
