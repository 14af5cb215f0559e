import {createDebouncedFlush, type DebouncedFlushPorts} from './debounced-flush.ts';

/**
 * Takes the turns of traces: many at once, never two of one trace, and each trace at most once in the queue.
 * Turns that decide at the same moment append at the same moment. A failed turn is retried later.
 */
export type Turns = {
	/** Requests a turn of this trace. */
	readonly request: (traceId: string) => void;
	/** Checks the queue although no trace was requested, since something may be due. Also resolves `next`. */
	readonly notify: () => void;
	/** Resolves when no turn is under way or due. */
	readonly quiet: () => Promise<void>;
	/** Resolves when the flush of all work so far is done, which is started at once. */
	readonly settled: () => Promise<void>;
	/** True if no flush is due or under way. */
	readonly isSettled: () => boolean;
	/**
	 * True if no turn is under way and none is waiting for a retry. A failed flush is retried too, but does not
	 * count.
	 */
	readonly isQuiet: () => boolean;
	/** Resolves the next time the queue is empty. */
	readonly next: () => Promise<void>;
	/** Takes no more requests. Resolves when the turns and the flush that are under way have ended. */
	readonly close: () => Promise<void>;
};

/** `rest` (the flush) is due after each turn and each time the queue is empty. It runs beside later turns. */
export type TurnPorts = DebouncedFlushPorts & {
	/** @param onRead call it before reading the trace: this turn then serves all requests so far */
	readonly turn: (traceId: string, onRead: () => void) => Promise<void>;
	/** Returns a trace that could continue now without a new event. It comes before requested traces. */
	readonly overdue?: () => string | undefined;
};

const retryMs = 1000;
/** Maximum number of turns at a time. */
const maxTurns = 64;

export const createTurns = ({clock, turn, overdue = () => undefined, flush, report}: TurnPorts): Turns => {
	const queue = new Set<string>();
	const underWay = new Set<string>();
	const failed = new Set<string>();
	const retries = new Set<() => void>();
	const debounced = createDebouncedFlush({clock, flush, report});
	/** Callers that wait for the end of what is under way; absent while nothing is. */
	let working: (() => void)[] | undefined;
	let waiters: (() => void)[] = [];
	let isScheduled = false;
	let closed = false;

	const notify = (): void => {
		working ??= [];
		if (isScheduled) return;
		isScheduled = true;
		// Let the caller continue first: it may request more turns.
		queueMicrotask(() => {
			isScheduled = false;
			startTurns();
		});
	};
	const request = (traceId: string): void => {
		if (closed) return;
		queue.add(traceId);
		notify();
	};
	const retryLater = (traceId: string): void => {
		if (closed) return;
		failed.add(traceId);
		const cancel = clock.after(retryMs, () => {
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
			report(`The turn of ${traceId} failed; hive tries again.`, error);
			queue.delete(traceId);
			retryLater(traceId);
		}
		underWay.delete(traceId);
		debounced.schedule();
		startTurns();
	};
	const nextTrace = (): string | undefined => {
		for (let traceId = overdue(); traceId !== undefined; traceId = overdue()) {
			queue.add(traceId);
			if (!underWay.has(traceId)) return traceId;
		}
		for (const traceId of queue) if (!underWay.has(traceId)) return traceId;
		return undefined;
	};
	const startTurns = (): void => {
		while (!closed && underWay.size < maxTurns) {
			const traceId = nextTrace();
			if (traceId === undefined) break;
			queue.delete(traceId);
			void takeTurn(traceId);
		}
		if (underWay.size === 0 && !isScheduled) onQueueEmpty();
	};
	const onQueueEmpty = (): void => {
		const waiting = [...(working ?? []), ...waiters];
		working = undefined;
		waiters = [];
		debounced.schedule();
		for (const call of waiting) call();
	};
	const quiet = (): Promise<void> =>
		new Promise(resolve => {
			if (working === undefined) resolve();
			else working.push(resolve);
		});

	return {
		request,
		notify,
		quiet,
		settled: debounced.settled,
		isSettled: debounced.isSettled,
		isQuiet: () => working === undefined && failed.size === 0,
		next: () => new Promise(resolve => waiters.push(resolve)),
		close: async () => {
			closed = true;
			for (const cancel of retries) cancel();
			await quiet();
			await debounced.close();
		},
	};
};
