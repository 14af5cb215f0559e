import type {Clock} from '../ports/clock.ts';

/**
 * Debounced flush of a reactor's state: one at a time, at most every 250 ms, with a retry after a failure.
 */
export type DebouncedFlush = {
	/** Schedules a flush: after a moment, or once the pause after the last one is over. */
	readonly schedule: () => void;
	/** True if no flush is due or under way. */
	readonly isSettled: () => boolean;
	/** Flushes at once if a flush is due. Resolves when it is done or has failed. */
	readonly settled: () => Promise<void>;
	/** As `settled`, for the last time. */
	readonly close: () => Promise<void>;
};

export type DebouncedFlushPorts = {
	readonly clock: Clock;
	/** The flush itself. */
	readonly flush: () => Promise<void>;
	readonly report: (message: string, error?: unknown) => void;
};

/** The minimum between two flushes, unless a caller waits for one. */
const minIntervalMs = 250;
/** Debounce: lets the current work go on first, since it soon makes more due. */
const debounceMs = 30;
const retryMs = 1000;

export const createDebouncedFlush = ({clock, flush, report}: DebouncedFlushPorts): DebouncedFlush => {
	let isDue = false;
	let isClosed = false;
	let underWay: Promise<void> | undefined;
	let endedAt = Number.NEGATIVE_INFINITY;
	let cancel: (() => void) | undefined;

	const runFlush = async (): Promise<void> => {
		isDue = false;
		try {
			await flush();
		} catch (error) {
			report('The decisions could not be recorded; hive tries again.', error);
			if (!isClosed) startTimer(retryMs);
		}
		endedAt = clock.elapsed();
		underWay = undefined;
		if (isDue && !isClosed) schedule();
	};
	const startFlush = (): void => {
		cancel?.();
		cancel = undefined;
		underWay ??= runFlush();
	};
	const startTimer = (delayMs: number): void => {
		cancel ??= clock.after(delayMs, () => {
			cancel = undefined;
			startFlush();
		});
	};
	const schedule = (): void => {
		isDue = true;
		if (underWay !== undefined || isClosed) return;
		startTimer(Math.max(endedAt + minIntervalMs - clock.elapsed(), debounceMs));
	};
	const settled = async (): Promise<void> => {
		while (isDue || underWay !== undefined) {
			startFlush();
			await underWay;
		}
	};
	return {
		schedule,
		isSettled: () => !isDue && underWay === undefined,
		settled,
		close: async () => {
			isClosed = true;
			cancel?.();
			await settled();
		},
	};
};
