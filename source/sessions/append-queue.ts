import {errorMessage} from '../domain/error-message.ts';

type Queue = {
	/** Text to be written after all before it; what does not fit any more is left out. */
	readonly add: (text: string) => void;
	/** Resolves when nothing waits to be written. */
	readonly idle: () => Promise<void>;
};

/** Characters that may wait for a slow disk. */
const longestQueue = 4 * 1024 * 1024;

/**
 * Writes in order without making its caller wait. The first failure ends it: it is told once, and what comes
 * later is left out.
 *
 * @param write never called again before it has resolved; it gets all texts that wait
 * @param failed called at most once, with the system's reason
 */
export const createAppendQueue = (
	write: (texts: readonly string[]) => Promise<void>,
	failed: (reason: string) => void,
): Queue => {
	let waiting: string[] = [];
	let length = 0;
	let isBroken = false;
	let writing: Promise<void> | undefined;
	const end = (reason: string): void => {
		waiting = [];
		length = 0;
		if (isBroken) return;
		isBroken = true;
		failed(reason);
	};
	const writeAll = async (): Promise<void> => {
		try {
			while (waiting.length > 0) {
				const texts = waiting;
				waiting = [];
				length = 0;
				await write(texts);
			}
		} catch (error) {
			end(errorMessage(error));
		}
		// In the same breath as the look at what waits: what is added from now on begins anew.
		writing = undefined;
	};
	return {
		add: text => {
			if (isBroken || text === '') return;
			if (length + text.length > longestQueue) return end('The disk is too slow.');
			waiting.push(text);
			length += text.length;
			writing ??= writeAll();
		},
		idle: async () => {
			await writing;
		},
	};
};
