/** The state of a session whose program runs, as its terminal shows it. */
export type SessionStatus = {
	/** `waiting`: it waits for a person. `idle`: it is at rest, and asks nothing. */
	readonly state: 'working' | 'waiting' | 'idle';
	/** When that began: UTC, RFC 3339. */
	readonly since: string;
	/** The last rows with text on its screen, sanitized. Empty unless it waits. */
	readonly lastRows: readonly string[];
};
