/** A command of the command line, as another face offers it. */
export type CommandOffer = {
	/** Its words: `inspect usage`. */
	readonly path: string;
	/** One sentence. */
	readonly summary: string;
	/** Its arguments, and the flags that it cannot do without, in the order of a command line. */
	readonly takes: readonly {
		/** `--trace`; empty of an argument. */
		readonly flag: string;
		/** How the value is written in usage: `<id>`. */
		readonly hint: string;
		readonly required: boolean;
		/** What can be offered as its value: `traces`. */
		readonly complete?: string;
	}[];
};
