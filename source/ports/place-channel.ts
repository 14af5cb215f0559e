/**
 * How the places of a colony ask each other, by the ids of their checkouts. Questions and answers are JSON.
 */
export type PlaceChannel = {
	/** Answers what the place is asked, until the signal. A question whose answer throws has none. */
	readonly serve: (
		place: string,
		answer: (question: unknown) => Promise<unknown>,
		signal: AbortSignal,
	) => void;
	/**
	 * What the place answers; nothing when nobody listens there, and then nothing is done either. Throws
	 * `timeout` when somebody does and gives no answer, and `bus_unreachable`.
	 */
	readonly ask: (place: string, question: unknown) => Promise<{readonly answer: unknown} | undefined>;
};
