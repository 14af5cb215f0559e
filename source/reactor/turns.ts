import {createRest, type RestPorts} from './rest.ts';

/**
 * Takes the turns of traces, many at once and never two of one trace, each trace at most once in the queue.
 * What is decided at the same moment is said at the same moment. A turn that fails is tried again later.
 */
export type Turns = {
	/** Asks for a turn of this trace. */
	readonly request: (traceId: string) => void;
	/** Something may be due although no trace was asked for: looks, and wakes who waits for `next`. */
	readonly nudge: () => void;
	/** Resolves when no turn is under way or due. */
	readonly quiet: () => Promise<void>;
	/** Resolves when the rest of all that was done by now is done too, at once. */
	readonly settled: () => Promise<void>;
	/** No rest is due or under way. */
	readonly isSettled: () => boolean;
	/**
	 * Nothing is under way and no turn is to be tried again. A rest that fails is tried again and holds nobody
	 * up.
	 */
	readonly isQuiet: () => boolean;
	/** Resolves after the next time that the queue has run empty. */
	readonly next: () => Promise<void>;
	/** Takes no more requests and resolves when what is under way is over, the rest included. */
	readonly close: () => Promise<void>;
};

/** The rest is due when the queue has run empty, and is done beside the turns that come then. */
export type TurnPorts = RestPorts & {
	/**
	 * @param looking to be called before the trace is looked at: whatever asked for a turn of it by then is
	 * served by this one
	 */
	readonly turn: (traceId: string, looking: () => void) => Promise<void>;
	/**
	 * A trace that nothing was said of, but that could go on now; it comes before those that were asked for.
	 */
	readonly overdue?: () => string | undefined;
};

const retryMilliseconds = 1000;
/** Turns at a time. */
const width = 64;

export const createTurns = ({clock, turn, overdue = () => undefined, rest, report}: TurnPorts): Turns => {
	const queue = new Set<string>();
	const underWay = new Set<string>();
	const failed = new Set<string>();
	const retries = new Set<() => void>();
	const resting = createRest({clock, rest, report});
	/** Who waits for the end of what is under way; nothing while nothing is. */
	let working: (() => void)[] | undefined;
	let waiters: (() => void)[] = [];
	let isLooking = false;
	let closed = false;

	const nudge = (): void => {
		working ??= [];
		if (isLooking) return;
		isLooking = true;
		// Whoever asks goes on first: it may have more to ask for.
		queueMicrotask(() => {
			isLooking = false;
			fill();
		});
	};
	const request = (traceId: string): void => {
		if (closed) return;
		queue.add(traceId);
		nudge();
	};
	const later = (traceId: string): void => {
		if (closed) return;
		failed.add(traceId);
		const cancel = clock.after(retryMilliseconds, () => {
			retries.delete(cancel);
			failed.delete(traceId);
			request(traceId);
		});
		retries.add(cancel);
	};

	const takeTurn = async (traceId: string): Promise<void> => {
		underWay.add(traceId);
		try {
			await turn(traceId, () => queue.delete(traceId));
		} catch (error) {
			report(`The turn of ${traceId} failed; it is tried again.`, error);
			queue.delete(traceId);
			later(traceId);
		}
		underWay.delete(traceId);
		resting.due();
		fill();
	};
	const nextTrace = (): string | undefined => {
		for (let traceId = overdue(); traceId !== undefined; traceId = overdue()) {
			queue.add(traceId);
			if (!underWay.has(traceId)) return traceId;
		}
		for (const traceId of queue) if (!underWay.has(traceId)) return traceId;
		return undefined;
	};
	const fill = (): void => {
		while (!closed && underWay.size < width) {
			const traceId = nextTrace();
			if (traceId === undefined) break;
			queue.delete(traceId);
			void takeTurn(traceId);
		}
		if (underWay.size === 0 && !isLooking) rested();
	};
	const rested = (): void => {
		const waiting = [...(working ?? []), ...waiters];
		working = undefined;
		waiters = [];
		resting.due();
		for (const call of waiting) call();
	};
	const quiet = (): Promise<void> =>
		new Promise(resolve => {
			if (working === undefined) resolve();
			else working.push(resolve);
		});

	return {
		request,
		nudge,
		quiet,
		settled: resting.settled,
		isSettled: resting.isSettled,
		isQuiet: () => working === undefined && failed.size === 0,
		next: () => new Promise(resolve => waiters.push(resolve)),
		close: async () => {
			closed = true;
			for (const cancel of retries) cancel();
			await quiet();
			await resting.close();
		},
	};
};
