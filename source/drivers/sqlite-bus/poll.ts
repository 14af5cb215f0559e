const pollMilliseconds = 200;

/** Looks on a slow timer while at least one holder wants it. */
export const createPoll = (look: () => void) => {
	const holders = new Set<symbol>();
	let timer: NodeJS.Timeout | undefined;
	return {
		/** Returns how to let go; doing so twice does nothing. */
		hold: () => {
			const holder = Symbol('holder');
			holders.add(holder);
			timer ??= setInterval(look, pollMilliseconds);
			return () => {
				holders.delete(holder);
				if (holders.size > 0) return;
				clearInterval(timer);
				timer = undefined;
			};
		},
	};
};
