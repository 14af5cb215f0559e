import type {Api} from 'grammy/web';
import {pause} from '../../host/pause.ts';
import type {Bucket, Context} from '../context.ts';
import {put} from '../put.ts';
import {codeOf, faultWords, retryAfter} from './calls.ts';
import {readUpdate, type Update} from './updates.ts';

type Polling = {
	readonly api: Pick<Api, 'getUpdates'>;
	readonly clock: Context['clock'];
	readonly bucket: Bucket;
	/** The key under which the consumer offset is kept. */
	readonly key: string;
	/** Stops polling: another gateway polls, or this one ends. */
	readonly signal: AbortSignal;
	/** Resolves when the update is kept. Rejects if it could not be kept; the update is then refused. */
	readonly take: (update: Update) => Promise<void>;
	/** Called for a refused update, which is not delivered again. */
	readonly refused: (update: Update, error: unknown) => Promise<void>;
	readonly report: (message: string) => void;
};

const waitSeconds = 25;
const longestPause = 60_000;

/** The next offset, and when it was recorded, in UTC milliseconds. */
type Watermark = {readonly offset: number; readonly at: number};

/**
 * After a week without messages to a bot, the platform restarts its numbers at any value. Without an offset
 * it sends all that was not confirmed.
 */
const validMilliseconds = 6 * 24 * 60 * 60 * 1000;

/**
 * Takes the updates one after the other, until the signal aborts. The offset is past all kept updates. An
 * update that was being taken when the process died is delivered again; a refused one is not.
 */
export const poll = async (polling: Polling): Promise<void> => {
	const {api, clock, bucket, key, signal, take, refused, report} = polling;
	let taken = await readWatermark(bucket, key);
	const refusals: {update: Update; error: unknown}[] = [];
	let faults = 0;
	let said = '';
	while (!signal.aborted) {
		try {
			const offset = offsetNow();
			const timeout = refusals.length === 0 ? waitSeconds : 0;
			const updates = await api.getUpdates(
				{offset, timeout, allowed_updates: ['message', 'callback_query']},
				signal as Parameters<Api['getUpdates']>[1],
			);
			// The request with the next offset has confirmed them. So a refused update is not done later, when the
			// log is back.
			for (const {update, error} of refusals.splice(0)) await refused(update, error);
			await takeAll(updates, offset);
			if (said !== '') report('The chat platform is there again.');
			[faults, said] = [0, ''];
		} catch (error) {
			if (signal.aborted) return;
			faults += 1;
			const words = faultWords(error);
			if (words !== said) report(words);
			said = words;
			await pause(clock, signal, pauseAfter(error, faults));
		}
	}

	function offsetNow(): number {
		return clock.now() - taken.at < validMilliseconds ? taken.offset : 0;
	}

	async function takeAll(raws: unknown, offset: number): Promise<void> {
		const updates = (Array.isArray(raws) ? raws : [undefined]).map(readUpdate);
		for (const update of updates) if (update && update.update >= offset) await takeOne(update);
		// Readable updates confirm the unreadable ones among them. If there are none, the platform would send the
		// same updates again at once, so this throws to back off.
		if (updates.length === 0 || updates.every(update => update !== undefined)) return;
		const words = 'The chat platform sent something that is no update; it is left out.';
		if (updates.every(update => update === undefined)) throw new Error(words);
		report(words);
	}

	async function takeOne(update: Update): Promise<void> {
		if (signal.aborted) return;
		try {
			await take(update);
		} catch (error) {
			// The gateway that takes over handles this update.
			if (signal.aborted) return;
			refusals.push({update, error});
		}
		taken = {offset: update.update + 1, at: clock.now()};
		// A failed write is harmless: taking an update twice has the same effect.
		await put(bucket, key, JSON.stringify(taken)).catch(() => {});
	}
};

const readWatermark = async (bucket: Bucket, key: string): Promise<Watermark> => {
	const kept = await bucket.get(key);
	return kept === undefined ? {offset: 0, at: 0} : JSON.parse(kept.value);
};

/**
 * The pause before the next poll, in milliseconds. A retry-after is obeyed. The backoff is longer if another
 * client polls for this bot, or if the token is refused.
 */
const pauseAfter = (error: unknown, faults: number): number => {
	const seconds = retryAfter(error);
	if (seconds !== undefined) return seconds * 1000;
	const first = [401, 404, 409].includes(codeOf(error) ?? 0) ? 5000 : 500;
	return Math.min(longestPause, first * 2 ** Math.min(faults - 1, 10));
};
