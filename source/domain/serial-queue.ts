/**
 * Runs work in the order of the calls, each after the one before it has settled. A failure rejects its own
 * call alone.
 */
export type SerialQueue = <Value>(work: () => Value | Promise<Value>) => Promise<Value>;

export const createSerialQueue = (): SerialQueue => {
	let last: Promise<unknown> = Promise.resolve();
	return work => {
		const done = last.then(work);
		last = done.catch(() => {});
		return done;
	};
};

/** The same work for every call, one call at a time. */
export const serialize = <Input, Output>(
	work: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) => {
	const queue = createSerialQueue();
	return input => queue(() => work(input));
};
