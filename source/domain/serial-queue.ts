/**
 * Runs work in the order of the calls, each after the previous one has settled. A failure rejects only its
 * own call.
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

/** Makes calls of one function run one at a time. */
export const serialize = <Input, Output>(
	work: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) => {
	const queue = createSerialQueue();
	return input => queue(() => work(input));
};
