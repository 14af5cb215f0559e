/** How the places of a colony ask each other questions, by checkout id. Questions and answers are JSON. */
export type MachineChannel = {
	/** Answers questions to the place, until the signal. If `answer` throws, no answer is sent. */
	readonly serve: (
		checkout: string,
		answer: (question: unknown) => Promise<unknown>,
		signal: AbortSignal,
	) => void;
	/**
	 * Returns the answer of the place. Returns `undefined` if no process serves that place; the question then
	 * had no effect. Throws `timeout` if a process serves it but does not answer, and `bus_unreachable`.
	 */
	readonly ask: (checkout: string, question: unknown) => Promise<{readonly answer: unknown} | undefined>;
};
