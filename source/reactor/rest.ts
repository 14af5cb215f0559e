import type {Clock} from '../ports/clock.ts';

/**
 * Does again and again what brings an account up to date: one at a time, not right after each other, and
 * again when it failed.
 */
export type Rest = {
	/** There is something to do: in a moment, or as soon as the last time is long enough ago. */
	readonly due: () => void;
	/** Nothing is due or under way. */
	readonly isSettled: () => boolean;
	/** Does at once what is due and resolves when it is done, or has failed. */
	readonly settled: () => Promise<void>;
	/** As `settled`, for the last time. */
	readonly close: () => Promise<void>;
};

export type RestPorts = {
	readonly clock: Clock;
	/** What is done again and again. */
	readonly rest: () => Promise<void>;
	readonly report: (message: string, error?: unknown) => void;
};

/** Between two times, unless somebody waits for it. */
const pauseMilliseconds = 250;
/** What has just begun goes on first: more of it is due in a moment. */
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
