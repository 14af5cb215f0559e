import {errorMessage} from '../domain/error-message.ts';
import type {Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import {pause} from '../host/pause.ts';
import type {Context} from './context.ts';
import type {Desk} from './desk.ts';

/** Debounce of changes, in milliseconds. */
const lookMilliseconds = 100;
/** Poll interval without a change, in milliseconds: for retries, and for limits that pass. */
const againMilliseconds = 10_000;

type Eyes = {
	readonly host: Host;
	readonly desk: Desk;
	readonly live: LiveColony;
	readonly clock: Context['clock'];
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
};

/** Makes the desk look whenever the colony changes, until the signal aborts. */
export const keepLooking = async ({host, desk, live, clock, signal, report}: Eyes): Promise<void> => {
	let wake = (): void => {};
	live.follow(signal, () => wake());
	// If the configuration breaks after the start, the last good one stays in force. `hive doctor` reports the
	// problem.
	void host.followConfiguration({signal, changed: () => wake()}).catch(() => {});
	let said = '';
	while (!signal.aborted) {
		const changed = new Promise<void>(resolve => {
			wake = resolve;
		});
		try {
			await desk.look();
			said = '';
		} catch (error) {
			const words = errorMessage(error);
			if (words !== said) report(words);
			said = words;
		}
		await Promise.race([changed, pause(clock, signal, againMilliseconds)]);
		await pause(clock, signal, lookMilliseconds);
	}
};
