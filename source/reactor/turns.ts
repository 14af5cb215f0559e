import type {Clock} from '../ports/clock.ts';

/** Runs one turn at a time, each trace at most once in the queue; a turn that fails is tried again later. */
export type Turns = {
	/** Asks for a turn of this trace. */
	readonly request: (traceId: string) => void;
	/** Wakes who waits for `next`, although no trace needs a turn. */
	readonly nudge: () => void;
	/** Resolves when the queue is empty and its rest is done. */
	readonly quiet: () => Promise<void>;
	/** Nothing is under way and no turn is to be tried again. A rest that fails is tried again and holds nobody up. */
	readonly isQuiet: () => boolean;
	/** Resolves after the next time that the queue has run empty. */
	readonly next: () => Promise<void>;
	/** Takes no more requests and resolves when the turn under way is over. */
	readonly close: () => Promise<void>;
};

type TurnPorts = {
	readonly clock: Clock;
	readonly turn: (traceId: string) => Promise<void>;
	/** What is done once whenever the queue has run empty. */
	readonly rest: () => Promise<void>;
	readonly report: (message: string, error?: unknown) => void;
};

const retryMilliseconds = 1000;

export const createTurns = ({clock, turn, rest, report}: TurnPorts): Turns => {
	const queue = new Set<string>();
	const failed = new Set<string>();
	const retries = new Set<() => void>();
	let working: Promise<void> | undefined;
	let closed = false;
	let wanted = false;
	let waiters: (() => void)[] = [];

	const nudge = (): void => {
		wanted = true;
		working ??= Promise.resolve().then(work);
	};

	const request = (traceId: string): void => {
		if (closed) return;
		queue.add(traceId);
		nudge();
	};

	const later = (call: () => void): void => {
		if (closed) return;
		const cancel = clock.after(retryMilliseconds, () => {
			retries.delete(cancel);
			call();
		});
		retries.add(cancel);
	};

	const takeTurn = async (traceId: string): Promise<void> => {
		try {
			await turn(traceId);
		} catch (error) {
			report(`The turn of ${traceId} failed; it is tried again.`, error);
			failed.add(traceId);
			later(() => {
				failed.delete(traceId);
				request(traceId);
			});
		}
	};

	const takeRest = async (): Promise<void> => {
		try {
			await rest();
		} catch (error) {
			report('What was decided could not be written down; it is tried again.', error);
			later(nudge);
		}
	};

	const work = async (): Promise<void> => {
		do {
			wanted = false;
			for (const traceId of queue) {
				queue.delete(traceId);
				await takeTurn(traceId);
				if (closed) queue.clear();
			}
			await takeRest();
		} while (wanted);
		working = undefined;
		const waiting = waiters;
		waiters = [];
		for (const call of waiting) call();
	};

	return {
		request,
		nudge,
		quiet: async () => {
			while (working !== undefined) await working;
		},
		isQuiet: () => working === undefined && failed.size === 0,
		next: () => new Promise(resolve => waiters.push(resolve)),
		close: async () => {
			closed = true;
			for (const cancel of retries) cancel();
			while (working !== undefined) await working;
		},
	};
};
