import {writeSync} from 'node:fs';
import {errorCode} from '../domain/error-code.ts';

/** Milliseconds before the next try at a full terminal. */
const fullFor = 5;

/** Input that waits for a program that does not read. */
export type PtyInput = {
	readonly write: (bytes: Uint8Array) => void;
	/** Number of bytes that the terminal has not accepted. */
	readonly unread: () => number;
	readonly onTaken: (call: () => void) => void;
};

/**
 * Writes to the holder's end of a terminal without waiting for it. Node's own stream would wait: libuv writes
 * to such an end until everything is accepted, and no output appears until the program reads.
 * @param fd non-blocking file descriptor
 * @param isClosed returns true once the descriptor may belong to another file
 */
export const createPtyInput = (fd: number, isClosed: () => boolean): PtyInput => {
	const calls: (() => void)[] = [];
	let waiting: Uint8Array[] = [];
	let unread = 0;
	let isFull = false;

	/** Returns the number of bytes that the terminal accepted. */
	const writeSome = (bytes: Uint8Array): number => {
		try {
			return writeSync(fd, bytes);
		} catch (error) {
			if (errorCode(error) === 'EAGAIN') return 0;
			throw error;
		}
	};
	const giveUp = (): void => {
		waiting = [];
		unread = 0;
	};
	const push = (): void => {
		isFull = false;
		if (isClosed()) return giveUp();
		try {
			for (let [bytes] = waiting; bytes !== undefined; [bytes] = waiting) {
				const taken = writeSome(bytes);
				unread -= taken;
				if (taken === bytes.length) waiting.shift();
				else {
					waiting[0] = bytes.subarray(taken);
					isFull = true;
					return void (taken > 0 ? setImmediate(push) : setTimeout(push, fullFor));
				}
			}
		} catch {
			// The program is gone.
			giveUp();
		}
		for (const call of calls) call();
	};
	return {
		write: bytes => {
			waiting.push(bytes);
			unread += bytes.length;
			if (!isFull) push();
		},
		unread: () => unread,
		onTaken: call => void calls.push(call),
	};
};
