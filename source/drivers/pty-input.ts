import {writeSync} from 'node:fs';
import {errorCode} from '../domain/error-code.ts';

/** Milliseconds after which a terminal that was full is tried again. */
const fullFor = 5;

/** What waits for a program that does not read. */
export type PtyInput = {
	readonly write: (bytes: Uint8Array) => void;
	/** Bytes that the terminal has not taken. */
	readonly unread: () => number;
	readonly onTaken: (call: () => void) => void;
};

/**
 * Writes to the end of a terminal that its holder has, never waiting for it: node's own stream would, since
 * libuv writes to such an end until all is taken, and nobody saw anything until the program reads.
 * @param fd does not block
 * @param isClosed whether it is somebody else's by now
 */
export const createPtyInput = (fd: number, isClosed: () => boolean): PtyInput => {
	const calls: (() => void)[] = [];
	let waiting: Uint8Array[] = [];
	let unread = 0;
	let isFull = false;

	/** Bytes that it took of the first that wait. */
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
