import type {Files} from '../ports/files.ts';
import type {LogReader} from './read-log.ts';
import {createWaiter} from './waiter.ts';

export type Following = {
	/** The folder of the log, whose changes the file system reports. */
	readonly folder: string;
	readonly signal: AbortSignal;
	/**
	 * Called before each read; resolves true if nothing more will be written. It may keep `wake`, to be called
	 * again, until its signal aborts: the following has then ended.
	 */
	readonly isOver?: (notify: () => void, signal: AbortSignal) => Promise<boolean>;
	/** Called when the whole log has been read, before waiting for more. */
	readonly caughtUp?: () => Promise<void>;
};

/**
 * Yields the unread part of a log, then additions as they are written, until it is over or the signal aborts.
 */
export async function* followLog(
	files: Files,
	log: LogReader,
	{folder, signal, isOver = async () => false, caughtUp = async () => {}}: Following,
): AsyncGenerator<Uint8Array> {
	const done = new AbortController();
	const ends = AbortSignal.any([signal, done.signal]);
	const {wake: notify, notified} = createWaiter(signal);
	files.watch(folder, ends, notify);
	try {
		for (;;) {
			// Checked before reading, so that the last output is read.
			const over = signal.aborted || (await isOver(notify, ends));
			yield* log.added();
			if (over) return;
			await caughtUp();
			await notified();
		}
	} finally {
		done.abort();
	}
}
