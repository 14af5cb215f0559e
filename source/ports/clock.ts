/** The source of time. */
export type Clock = {
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Monotonic milliseconds, for durations. */
	readonly elapsed: () => number;
	/** Calls back once after that many milliseconds. The returned function cancels it. */
	readonly after: (delayMs: number, call: () => void) => () => void;
};

/** A clock's time as the log writes it: UTC, RFC 3339, milliseconds. */
export const timestamp = (clock: Clock): string => new Date(clock.now()).toISOString();
