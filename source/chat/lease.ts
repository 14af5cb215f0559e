import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import {formatRefusal, refusalOf} from '../domain/errors.ts';
import {pause} from '../host/pause.ts';
import type {Bucket, Context} from './context.ts';

const renewIntervalMs = 3000;
/**
 * Milliseconds without a renewal after which the lease has expired, by the monotonic clock of the waiting
 * process.
 */
const leaseMs = 12_000;
const retryMs = 1000;

/** The holder of the lease. `place` is the checkout of its process. */
type Holder = {
	readonly id: string;
	readonly place: string;
	readonly host: string;
	readonly pid: number;
	readonly beat: number;
};

type LeaseOptions = {
	readonly bucket: Bucket;
	readonly clock: Context['clock'];
	/** The key of the lease. */
	readonly key: string;
	/**
	 * The checkout of this process, and the checkout's gateway lock. The kernel frees the lock when its process
	 * dies.
	 */
	readonly place: string;
	readonly lock: ReturnType<NonNullable<Context['gatewayLock']>>;
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
};

/**
 * Runs `work` while this gateway holds the lease. Only one gateway works at a time; the others wait. They
 * take over at once after a gateway of the same checkout, else within fifteen seconds. The signal given to
 * `work` aborts when the lease is lost. If `work` fails because the log is unreachable, it is started again.
 */
export const runWithLease = async (
	{bucket, clock, key, place, lock, signal, report}: LeaseOptions,
	work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
	const own = {id: randomUUID(), place, host: hostname(), pid: process.pid};
	let lastSeen: {revision: number; at: number} | undefined;
	let lastReported = '';
	const reportOnce = (message: string): void => {
		if (message !== lastReported) report(message);
		lastReported = message;
	};

	try {
		while (!signal.aborted) {
			const revision = await acquire().catch((error: unknown) => {
				// Renewals could not be seen meanwhile, so the wait starts again.
				lastSeen = undefined;
				reportOnce(retryableMessage(error));
				return undefined;
			});
			if (revision === undefined) await pause(clock, signal, retryMs);
			else await runWhileRenewing(revision);
		}
	} finally {
		lock.release();
	}

	async function acquire(): Promise<number | undefined> {
		if (!lock.take()) {
			reportOnce('Another gateway of this checkout answers. This one waits.');
			return undefined;
		}
		const text = JSON.stringify({...own, beat: 0} satisfies Holder);
		const known = await bucket.get(key);
		if (known === undefined) return bucket.create(key, text);
		if (lastSeen?.revision !== known.revision) lastSeen = {revision: known.revision, at: clock.elapsed()};
		const holder: Holder = JSON.parse(known.value);
		const isSilent = clock.elapsed() - lastSeen.at > leaseMs;
		// A holder of this same checkout has lost the lock, so its process is dead.
		if (isSilent || holder.place === place) return bucket.update(key, text, known.revision);
		reportOnce(`Another gateway answers (pid ${holder.pid} on ${holder.host}). This one waits.`);
		return undefined;
	}

	async function runWhileRenewing(taken: number): Promise<void> {
		const over = new AbortController();
		const stop = (): void => over.abort();
		signal.addEventListener('abort', stop, {once: true});
		lastReported = '';
		const working = work(over.signal)
			.catch((error: unknown) => reportOnce(retryableMessage(error)))
			.finally(stop);
		let revision = taken;
		for (let beat = 1; !over.signal.aborted; beat++) {
			await pause(clock, over.signal, renewIntervalMs);
			if (over.signal.aborted) break;
			try {
				const next = await bucket.update(key, JSON.stringify({...own, beat} satisfies Holder), revision);
				if (next === undefined) {
					reportOnce('Another gateway has taken over.');
					stop();
				} else revision = next;
			} catch {
				// While the log is unreachable, the lease cannot be renewed. When it is back, the next update shows
				// who holds it.
			}
		}
		signal.removeEventListener('abort', stop);
		await working;
		await bucket.delete(key, revision).catch(() => false);
	}
};

/** Returns the message of an error that is retried. Throws all others. */
const retryableMessage = (error: unknown): string => {
	const refusal = refusalOf(error);
	if (refusal?.code === 'bus_unreachable') return formatRefusal(refusal);
	throw error;
};
