import {closeSync, constants, openSync, readSync} from 'node:fs';
import {errorCode} from '../../domain/error-code.ts';

/** Milliseconds without a key after which a held key counts as released. */
const quiet = 150;
/** Max milliseconds, after which further keys go to the shell. */
const longest = 3000;
const pause = 10;

/**
 * Discards unread input, until a pause without a key: it was meant for the dashboard, not for the shell that
 * gets the terminal. It blocks, since the process may be about to end.
 */
export const discardTyped = (): void => {
	let terminal: number;
	try {
		terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
	} catch {
		return;
	}
	const buffer = Buffer.alloc(4096);
	const started = performance.now();
	for (let last = started, now = started; now - last < quiet && now - started < longest; ) {
		const read = readSome(terminal, buffer);
		if (read === 'over') break;
		if (read === 'none') wait(pause);
		now = performance.now();
		if (read === 'some') last = now;
	}
	closeSync(terminal);
};

const readSome = (terminal: number, buffer: Buffer): 'some' | 'none' | 'over' => {
	try {
		return readSync(terminal, buffer) > 0 ? 'some' : 'over';
	} catch (error) {
		return errorCode(error) === 'EAGAIN' ? 'none' : 'over';
	}
};

const wait = (milliseconds: number): void => {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};
