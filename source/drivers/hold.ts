/**
 * Something that is started for its first holder and stopped with its last. What taking hold returns lets go,
 * once.
 */
export const createHold = (start: () => () => void): (() => () => void) => {
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
