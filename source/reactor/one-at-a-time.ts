/** The same work, of which none begins before the one before it is over. */
export const oneAtATime = <Input, Output>(
	work: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) => {
	let last: Promise<unknown> = Promise.resolve();
	return input => {
		const mine = last.then(() => work(input));
		last = mine.catch(() => {});
		return mine;
	};
};
