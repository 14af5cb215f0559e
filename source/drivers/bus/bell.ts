/** Wakes whoever waits for something new. Taking `count` before looking makes a ring between looking and waiting count. */
export type Bell = {
	/** How often it has rung. */
	readonly count: () => number;
	readonly ring: () => void;
	/** Resolves once the bell has rung more than `seen` times, or with the signal. */
	readonly rungSince: (seen: number, signal: AbortSignal) => Promise<void>;
};

export const createBell = (): Bell => {
	let count = 0;
	let sleepers = new Set<() => void>();
	return {
		count: () => count,
		ring: () => {
			count += 1;
			const woken = sleepers;
			sleepers = new Set();
			for (const wake of woken) wake();
		},
		rungSince: (seen, signal) =>
			new Promise(resolve => {
				if (count !== seen || signal.aborted) return resolve();
				const wake = () => {
					signal.removeEventListener('abort', wake);
					sleepers.delete(wake);
					resolve();
				};
				sleepers.add(wake);
				signal.addEventListener('abort', wake, {once: true});
			}),
	};
};
