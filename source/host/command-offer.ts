/** A command of the command line, as another face offers it. */
export type CommandOffer = {
	/** Its words, for example `inspect usage`. */
	readonly path: string;
	/** One sentence. */
	readonly summary: string;
	/** Its arguments and required flags, in the order of a command line. */
	readonly takes: readonly {
		/** For example `--trace`; empty for an argument. */
		readonly flag: string;
		/** Placeholder of its value in usage: `<id>`. */
		readonly hint: string;
		readonly required: boolean;
		/** Kind of values that completion can offer: `traces`. */
		readonly complete?: string;
	}[];
};
