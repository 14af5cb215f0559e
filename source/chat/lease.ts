import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import {refusalOf, wordsOf} from '../domain/errors.ts';
import {pause} from '../host/pause.ts';
import type {Bucket, Context} from './context.ts';

const renewMilliseconds = 3000;
/** Whoever has said nothing for this long has let go, by the watch of whoever waits. */
const lifeMilliseconds = 12_000;
const againMilliseconds = 1000;

/** `place` is the checkout of its process. */
type Holder = {
	readonly id: string;
	readonly place: string;
	readonly host: string;
	readonly pid: number;
	readonly beat: number;
};

type Leasing = {
	readonly bucket: Bucket;
	readonly clock: Context['clock'];
	/** Names what is held. */
	readonly key: string;
	/** Of this checkout, and the lock that one of its gateways has: the kernel frees it when that dies. */
	readonly place: string;
	readonly lock: ReturnType<NonNullable<Context['gatewayLock']>>;
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
};

/**
 * One gateway at a time does the work; the others wait, and take over when it has let go: at once where it
 * was of this checkout, else within fifteen seconds. The work gets a signal that comes when the lease is
 * lost; where it fails because the log is away it is begun again.
 */
export const whileHeld = async (
	{bucket, clock, key, place, lock, signal, report}: Leasing,
	work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
	const own = {id: randomUUID(), place, host: hostname(), pid: process.pid};
	let seen: {revision: number; at: number} | undefined;
	let said = '';
	const say = (words: string): void => {
		if (words !== said) report(words);
		said = words;
	};

	try {
		while (!signal.aborted) {
			const revision = await take().catch((error: unknown) => {
				// Nobody could be heard meanwhile.
				seen = undefined;
				say(orThrow(error));
				return undefined;
			});
			if (revision === undefined) await pause(clock, signal, againMilliseconds);
			else await hold(revision);
		}
	} finally {
		lock.release();
	}

	async function take(): Promise<number | undefined> {
		if (!lock.take()) {
			say('Another gateway of this checkout answers. This one waits.');
			return undefined;
		}
		const text = JSON.stringify({...own, beat: 0} satisfies Holder);
		const known = await bucket.get(key);
		if (known === undefined) return bucket.create(key, text);
		if (seen?.revision !== known.revision) seen = {revision: known.revision, at: clock.elapsed()};
		const holder: Holder = JSON.parse(known.value);
		const isSilent = clock.elapsed() - seen.at > lifeMilliseconds;
		// Whoever of this checkout held it has lost the lock, and so its life.
		if (isSilent || holder.place === place) return bucket.update(key, text, known.revision);
		say(`Another gateway answers (pid ${holder.pid} on ${holder.host}). This one waits.`);
		return undefined;
	}

	async function hold(taken: number): Promise<void> {
		const over = new AbortController();
		const stop = (): void => over.abort();
		signal.addEventListener('abort', stop, {once: true});
		said = '';
		const working = work(over.signal)
			.catch((error: unknown) => say(orThrow(error)))
			.finally(stop);
		let revision = taken;
		for (let beat = 1; !over.signal.aborted; beat++) {
			await pause(clock, over.signal, renewMilliseconds);
			if (over.signal.aborted) break;
			try {
				const next = await bucket.update(key, JSON.stringify({...own, beat} satisfies Holder), revision);
				if (next === undefined) {
					say('Another gateway has taken over.');
					stop();
				} else revision = next;
			} catch {
				// While the log is away nothing is done but to say so; when it is back, who has it is seen.
			}
		}
		signal.removeEventListener('abort', stop);
		await working;
		await bucket.delete(key, revision).catch(() => false);
	}
};

/** What goes on by itself, in words; the rest is thrown. */
const orThrow = (error: unknown): string => {
	const refusal = refusalOf(error);
	if (refusal?.code === 'bus_unreachable') return wordsOf(refusal);
	throw error;
};
