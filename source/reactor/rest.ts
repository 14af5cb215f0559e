import type {Clock} from '../ports/clock.ts';

/**
 * Debounced flush of a reactor's state: one at a time, at most every 250 ms, with a retry after a failure.
 */
export type Rest = {
	/** Schedules a flush: after a moment, or once the pause after the last one is over. */
	readonly due: () => void;
	/** True if no flush is due or under way. */
	readonly isSettled: () => boolean;
	/** Flushes at once if a flush is due. Resolves when it is done or has failed. */
	readonly settled: () => Promise<void>;
	/** As `settled`, for the last time. */
	readonly close: () => Promise<void>;
};

export type RestPorts = {
	readonly clock: Clock;
	/** The flush itself. */
	readonly rest: () => Promise<void>;
	readonly report: (message: string, error?: unknown) => void;
};

/** The minimum between two flushes, unless a caller waits for one. */
const pauseMilliseconds = 250;
/** Debounce: lets the current work go on first, since it soon makes more due. */
const momentMilliseconds = 30;
const retryMilliseconds = 1000;

export const createRest = ({clock, rest, report}: RestPorts): Rest => {
	let isDue = false;
	let isClosed = false;
	let underWay: Promise<void> | undefined;
	let endedAt = Number.NEGATIVE_INFINITY;
	let cancel: (() => void) | undefined;

	const take = async (): Promise<void> => {
		isDue = false;
		try {
			await rest();
		} catch (error) {
			report('What was decided could not be written down; it is tried again.', error);
			if (!isClosed) wait(retryMilliseconds);
		}
		endedAt = clock.elapsed();
		underWay = undefined;
		if (isDue && !isClosed) due();
	};
	const begin = (): void => {
		cancel?.();
		cancel = undefined;
		underWay ??= take();
	};
	const wait = (milliseconds: number): void => {
		cancel ??= clock.after(milliseconds, () => {
			cancel = undefined;
			begin();
		});
	};
	const due = (): void => {
		isDue = true;
		if (underWay !== undefined || isClosed) return;
		wait(Math.max(endedAt + pauseMilliseconds - clock.elapsed(), momentMilliseconds));
	};
	const settled = async (): Promise<void> => {
		while (isDue || underWay !== undefined) {
			begin();
			await underWay;
		}
	};
	return {
		due,
		isSettled: () => !isDue && underWay === undefined,
		settled,
		close: async () => {
			isClosed = true;
			cancel?.();
			await settled();
		},
	};
};
