/** The source of time. */
export type Clock = {
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Monotonic milliseconds, for durations. */
	readonly elapsed: () => number;
	/** Calls back once after that many milliseconds. The returned function cancels it. */
	readonly after: (delayMs: number, call: () => void) => () => void;
};

/**
 * A clock's time as the log writes it: UTC, RFC 3339, milliseconds.
 *
 * @param ageMs milliseconds before now
 */
export const timestamp = (clock: Clock, ageMs = 0): string => new Date(clock.now() - ageMs).toISOString();
