import type {Files} from '../ports/files.ts';
import type {LogReader} from './read-log.ts';
import {createWaiter} from './waiter.ts';

export type Following = {
	/** The folder of the log, whose changes the file system reports. */
	readonly folder: string;
	readonly signal: AbortSignal;
	/**
	 * Asked before each reading: whether nothing more will be written. It may keep `wake`, to be asked again,
	 * until its signal: then the following has ended.
	 */
	readonly isOver?: (wake: () => void, signal: AbortSignal) => Promise<boolean>;
	/** Called when all that the log holds was read, before more is waited for. */
	readonly caughtUp?: () => Promise<void>;
};

/**
 * What a log holds that was not read yet, then what is added as it is added, until it is over or the signal.
 */
export async function* followLog(
	files: Files,
	log: LogReader,
	{folder, signal, isOver = async () => false, caughtUp = async () => {}}: Following,
): AsyncGenerator<Uint8Array> {
	const done = new AbortController();
	const ends = AbortSignal.any([signal, done.signal]);
	const {wake, woken} = createWaiter(signal);
	files.watch(folder, ends, wake);
	try {
		for (;;) {
			// Asked before reading, so that what was written last is read.
			const over = signal.aborted || (await isOver(wake, ends));
			yield* log.added();
			if (over) return;
			await caughtUp();
			await woken();
		}
	} finally {
		done.abort();
	}
}
