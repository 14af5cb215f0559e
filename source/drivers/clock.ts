import type {Clock} from '../ports/clock.ts';

/** The machine's clock. A pending `after` keeps the process alive. */
export const createSystemClock = (): Clock => ({
	now: () => Date.now(),
	elapsed: () => performance.now(),
	after: (milliseconds, call) => {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
});
