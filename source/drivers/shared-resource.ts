/**
 * A reference-counted resource: it starts with the first holder, and stops with the last. Returns a function
 * that takes a hold. The result of that releases the hold; it is idempotent.
 */
export const createSharedResource = (start: () => () => void): (() => () => void) => {
	const holders = new Set<symbol>();
	let stop = () => {};
	return () => {
		const holder = Symbol('holder');
		if (holders.size === 0) stop = start();
		holders.add(holder);
		return () => {
			if (holders.delete(holder) && holders.size === 0) stop();
		};
	};
};
