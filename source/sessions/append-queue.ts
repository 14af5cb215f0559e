import {errorMessage} from '../domain/error-message.ts';

type Queue = {
	/** Queues text to write after all earlier texts. Text beyond the limit ends the queue. */
	readonly add: (text: string) => void;
	/** Resolves when no text waits. */
	readonly idle: () => Promise<void>;
};

/** Max characters that may wait for a slow disk. */
const maxQueueLength = 4 * 1024 * 1024;

/**
 * Writes in order without making its caller wait. The first failure ends it: it is reported once, and later
 * texts are dropped.
 *
 * @param write called with all waiting texts; never again before it has resolved
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
		// No other code runs between the last check and this line, so a later text starts a new write.
		writing = undefined;
	};
	return {
		add: text => {
			if (isBroken || text === '') return;
			if (length + text.length > maxQueueLength) return end('The disk is too slow.');
			waiting.push(text);
			length += text.length;
			writing ??= writeAll();
		},
		idle: async () => {
			await writing;
		},
	};
};
