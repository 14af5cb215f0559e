import type {Clock} from '../ports/clock.ts';

/** Resolves after so many milliseconds, or when the signal is aborted. */
export const pause = (clock: Clock, signal: AbortSignal, durationMs: number): Promise<void> =>
	new Promise(resolve => {
		const end = (): void => {
			cancel();
			signal.removeEventListener('abort', end);
			resolve();
		};
		const cancel = clock.after(durationMs, end);
		signal.addEventListener('abort', end);
		if (signal.aborted) end();
	});
