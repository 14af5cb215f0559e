import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import type {Bucket, Context} from './cards.ts';
import {pause} from './telegram/poll.ts';

const renewMilliseconds = 3000;
/** Whoever has said nothing for this long has let go, by the watch of whoever waits. */
const lifeMilliseconds = 12_000;

type Holder = {readonly id: string; readonly host: string; readonly pid: number; readonly beat: number};

type Leasing = {
	readonly bucket: Bucket;
	readonly clock: Context['clock'];
	/** Names what is held. */
	readonly key: string;
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
};

/**
 * One gateway at a time does the work; the others wait, and take over when it has let go: at once where its process was of this machine,
 * else within fifteen seconds. The work gets a signal that comes when the lease is lost.
 */
export const whileHeld = async (
	{bucket, clock, key, signal, report}: Leasing,
	work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
	const own = {id: randomUUID(), host: hostname(), pid: process.pid};
	let seen: {revision: number; at: number} | undefined;
	let isSaid = false;

	while (!signal.aborted) {
		const revision = await take().catch(() => undefined);
		if (revision === undefined) {
			await pause(clock, signal, 1000);
			continue;
		}
		isSaid = false;
		await hold(revision);
	}

	async function take(): Promise<number | undefined> {
		const text = JSON.stringify({...own, beat: 0} satisfies Holder);
		const known = await bucket.get(key);
		if (known === undefined) return bucket.create(key, text);
		if (seen?.revision !== known.revision) seen = {revision: known.revision, at: clock.elapsed()};
		const holder: Holder = JSON.parse(known.value);
		const isSilent = clock.elapsed() - seen.at > lifeMilliseconds;
		if (isSilent || holder.id === own.id || isDeadHere(holder))
			return bucket.update(key, text, known.revision);
		if (!isSaid)
			report(`Another gateway answers this bot (pid ${holder.pid} on ${holder.host}). This one waits.`);
		isSaid = true;
		return undefined;
	}

	async function hold(taken: number): Promise<void> {
		const over = new AbortController();
		const stop = (): void => over.abort();
		signal.addEventListener('abort', stop, {once: true});
		const working = work(over.signal).finally(stop);
		let revision = taken;
		for (let beat = 1; !over.signal.aborted; beat++) {
			await pause(clock, over.signal, renewMilliseconds);
			if (over.signal.aborted) break;
			try {
				const next = await bucket.update(key, JSON.stringify({...own, beat} satisfies Holder), revision);
				if (next === undefined) {
					report('Another gateway has taken this bot over.');
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

/** Its process was of this machine and is gone. */
const isDeadHere = ({host, pid}: Holder): boolean => {
	if (host !== hostname()) return false;
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'ESRCH';
	}
};
