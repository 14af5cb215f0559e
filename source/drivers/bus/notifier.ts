/**
 * Wakes whoever waits for a change. Taking `count` before looking makes a change between looking and waiting
 * count.
 */
export type Notifier = {
	/** How many changes there were. */
	readonly count: () => number;
	readonly notify: () => void;
	/** Resolves once there were more than `known` changes, or with the signal. */
	readonly changedSince: (known: number, signal: AbortSignal) => Promise<void>;
};

export const createNotifier = (): Notifier => {
	let count = 0;
	let sleepers = new Set<() => void>();
	return {
		count: () => count,
		notify: () => {
			count += 1;
			const woken = sleepers;
			sleepers = new Set();
			for (const wake of woken) wake();
		},
		changedSince: (known, signal) =>
			new Promise(resolve => {
				if (count !== known || signal.aborted) return resolve();
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
