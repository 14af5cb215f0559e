import {type Outcome, refuse} from '../domain/errors.ts';
import type {ActionContext} from './context.ts';

type LockPorts = Pick<ActionContext, 'clock' | 'mergeLock'>;

/** Default timeout for the lock. A merge takes about a second. */
const lockTimeoutMs = 15_000;
const pollMs = 100;

/**
 * Runs `work` under the merge lock of this checkout. The kernel frees the lock when its holder dies. So an
 * open merge that a holder finds was left by a dead process (docs/reliability.md §4). Refused with
 * `merge_open` if the lock stays taken.
 */
export const withMergeLock = async <Value>(
	{clock, mergeLock}: LockPorts,
	work: () => Promise<Outcome<Value>>,
	timeoutMs = lockTimeoutMs,
): Promise<Outcome<Value>> => {
	const lock = mergeLock();
	const deadline = clock.elapsed() + timeoutMs;
	while (!lock.take()) {
		if (clock.elapsed() > deadline) return busyRefusal;
		await new Promise<void>(resolve => clock.after(pollMs, resolve));
	}
	try {
		return await work();
	} finally {
		lock.release();
	}
};

const busyRefusal = refuse('merge_open', {
	message: 'Another process is merging in this checkout.',
	hint: 'Wait for it to end, then run the command again.',
});
