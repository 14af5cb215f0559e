import type {Clock} from '../ports/clock.ts';

/** Milliseconds in which the same message is reported only once. */
const quietMs = 60_000;

/**
 * Reports each message at most once a minute. A failure is retried every second, for example on a disk that
 * stays full, and must not be reported at every retry.
 */
export const reportOnce = (clock: Clock, report: (message: string) => void): ((message: string) => void) => {
	const reported = new Map<string, number>();
	return message => {
		const now = clock.elapsed();
		for (const [earlier, at] of reported) if (now - at >= quietMs) reported.delete(earlier);
		if (reported.has(message)) return;
		reported.set(message, now);
		report(message);
	};
};
