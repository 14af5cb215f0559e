/**
 * Wakes every caller that waits for a change. Take `count` before you read the state: a change between the
 * read and the wait then ends the wait at once.
 */
export type Notifier = {
	/** Number of changes so far. */
	readonly count: () => number;
	readonly notify: () => void;
	/** Resolves once there have been more than `known` changes, or when the signal aborts. */
	readonly changedSince: (known: number, signal: AbortSignal) => Promise<void>;
};

export const createNotifier = (): Notifier => {
	let count = 0;
	let sleepers = new Set<() => void>();
	return {
		count: () => count,
		notify: () => {
			count += 1;
			const notified = sleepers;
			sleepers = new Set();
			for (const resume of notified) resume();
		},
		changedSince: (known, signal) =>
			new Promise(resolve => {
				if (count !== known || signal.aborted) return resolve();
				const resume = () => {
					signal.removeEventListener('abort', resume);
					sleepers.delete(resume);
					resolve();
				};
				sleepers.add(resume);
				signal.addEventListener('abort', resume, {once: true});
			}),
	};
};
