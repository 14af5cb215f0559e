import {errorMessage} from '../domain/error-message.ts';
import type {Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import {pause} from '../host/pause.ts';
import type {ChatController} from './chat-controller.ts';
import type {Context} from './context.ts';

/** Debounce of changes, in milliseconds. */
const debounceMs = 100;
/** Poll interval without a change, in milliseconds: for retries, and for limits that pass. */
const pollIntervalMs = 10_000;

type PollLoopOptions = {
	readonly host: Host;
	readonly controller: ChatController;
	readonly live: LiveColony;
	readonly clock: Context['clock'];
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
};

/** Makes the desk look whenever the colony changes, until the signal aborts. */
export const runPollLoop = async ({
	host,
	controller,
	live,
	clock,
	signal,
	report,
}: PollLoopOptions): Promise<void> => {
	let notifyChange = (): void => {};
	live.follow(signal, () => notifyChange());
	live.sessions(signal, () => notifyChange());
	// If the configuration breaks after the start, the last good one stays in force. `hive doctor` reports the
	// problem.
	void host.followConfiguration({signal, changed: () => notifyChange()}).catch(() => {});
	let lastReported = '';
	while (!signal.aborted) {
		const changed = new Promise<void>(resolve => {
			notifyChange = resolve;
		});
		try {
			await controller.poll();
			lastReported = '';
		} catch (error) {
			const message = errorMessage(error);
			if (message !== lastReported) report(message);
			lastReported = message;
		}
		await Promise.race([changed, pause(clock, signal, pollIntervalMs)]);
		await pause(clock, signal, debounceMs);
	}
};
