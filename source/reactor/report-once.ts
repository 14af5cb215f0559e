import type {Clock} from '../ports/clock.ts';

/** Milliseconds in which the same words are reported once. */
const quiet = 60_000;

/**
 * What fails is tried again every second: on a disk that stays full it is reported once a minute, not at
 * every try.
 */
export const reportOnce = (clock: Clock, report: (message: string) => void): ((message: string) => void) => {
	const reported = new Map<string, number>();
	return message => {
		const now = clock.elapsed();
		for (const [words, at] of reported) if (now - at >= quiet) reported.delete(words);
		if (reported.has(message)) return;
		reported.set(message, now);
		report(message);
	};
};
