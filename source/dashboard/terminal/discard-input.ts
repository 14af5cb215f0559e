import {closeSync, constants, openSync, readSync} from 'node:fs';
import {errorCode} from '../../domain/error-code.ts';

/** Milliseconds without a key after which a held key counts as released. */
const quietMs = 150;
/** Max milliseconds, after which further keys go to the shell. */
const maxDurationMs = 3000;
const pollIntervalMs = 10;

/**
 * Discards unread input, until a pause without a key. It was meant for the dashboard, not for the shell that
 * gets the terminal. It blocks, since the process may be about to end.
 */
export const discardInput = (): void => {
	let terminal: number;
	try {
		terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
	} catch {
		return;
	}
	const buffer = Buffer.alloc(4096);
	const started = performance.now();
	for (let last = started, now = started; now - last < quietMs && now - started < maxDurationMs; ) {
		const read = readSome(terminal, buffer);
		if (read === 'over') break;
		if (read === 'none') sleepSync(pollIntervalMs);
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

const sleepSync = (durationMs: number): void => {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
};
