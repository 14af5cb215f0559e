import type {Clock} from '../ports/clock.ts';

/** Max milliseconds of a timer of Node. A longer timer fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The machine's clock. A pending `after` keeps the process alive. */
export const createSystemClock = (): Clock => ({
	now: () => Date.now(),
	elapsed: () => performance.now(),
	after: (durationMs, call) => {
		let timer: NodeJS.Timeout;
		const wait = (left: number): void => {
			const part = Math.min(left, maxTimerMs);
			timer = setTimeout(() => (left > part ? wait(left - part) : call()), part);
		};
		wait(durationMs);
		return () => clearTimeout(timer);
	},
});
