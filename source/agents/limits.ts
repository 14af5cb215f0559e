/** A limit of a tool that passes by itself. */
export type Limit = {
	/** When, UTC, RFC 3339; absent where the tool does not say. */
	readonly until?: string;
};
