import type {Context} from './context.ts';

/** Resolves after so long, or at the signal. */
export const pause = (clock: Context['clock'], signal: AbortSignal, milliseconds: number): Promise<void> =>
	new Promise(resolve => {
		const end = (): void => {
			cancel();
			signal.removeEventListener('abort', end);
			resolve();
		};
		const cancel = clock.after(milliseconds, end);
		signal.addEventListener('abort', end);
		if (signal.aborted) end();
	});
