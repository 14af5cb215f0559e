import {closeSync, constants, openSync, readSync} from 'node:fs';
import {errorCode} from '../../domain/error-code.ts';

/** Milliseconds without a key after which a held key is taken to be let go. */
const quiet = 150;
/** Milliseconds after which keys go to the shell, however many still come. */
const longest = 3000;
const pause = 10;

/**
 * Throws away what was typed and not read, up to a moment without a key: it was meant for the dashboard, not
 * for the shell that the terminal goes to. It waits in place, as the process may be about to end.
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
