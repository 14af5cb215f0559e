import type {Api} from 'grammy/web';
import {pause} from '../../host/pause.ts';
import type {Bucket, Context} from '../context.ts';
import {setValue} from '../set-value.ts';
import {codeOf, formatCallError, retryAfter} from './calls.ts';
import {readUpdate, type Update} from './updates.ts';

type PollOptions = {
	readonly api: Pick<Api, 'getUpdates'>;
	readonly clock: Context['clock'];
	readonly bucket: Bucket;
	/** The key under which the consumer offset is kept. */
	readonly key: string;
	/** Stops polling: another gateway polls, or this one ends. */
	readonly signal: AbortSignal;
	/** Resolves when the update is kept. Rejects if it could not be kept; the update is then refused. */
	readonly handleUpdate: (update: Update) => Promise<void>;
	/** Called for a refused update, which is not delivered again. */
	readonly onRefused: (update: Update, error: unknown) => Promise<void>;
	readonly report: (message: string) => void;
};

const longPollSeconds = 25;
const maxPauseMs = 60_000;

/** The next offset, and when it was recorded, in milliseconds since 1970. */
type ConsumerOffset = {readonly offset: number; readonly at: number};

/**
 * After a week without messages to a bot, the platform restarts its numbers at any value. Without an offset
 * it sends all that was not confirmed.
 */
const offsetLifeMs = 6 * 24 * 60 * 60 * 1000;

/**
 * Takes the updates one after the other, until the signal aborts. The offset is past all kept updates. An
 * update that was being taken when the process died is delivered again; a refused one is not.
 */
export const poll = async (options: PollOptions): Promise<void> => {
	const {api, clock, bucket, key, signal, handleUpdate, onRefused, report} = options;
	let nextOffset = await readOffset(bucket, key);
	const refusals: {update: Update; error: unknown}[] = [];
	let faults = 0;
	let lastReported = '';
	while (!signal.aborted) {
		try {
			const offset = offsetNow();
			const timeout = refusals.length === 0 ? longPollSeconds : 0;
			const updates = await api.getUpdates(
				{offset, timeout, allowed_updates: ['message', 'callback_query']},
				signal as Parameters<Api['getUpdates']>[1],
			);
			// The request with the next offset has confirmed them. So a refused update is not done later, when the
			// log is back.
			for (const {update, error} of refusals.splice(0)) await onRefused(update, error);
			await handleAll(updates, offset);
			if (lastReported !== '') report('The chat platform answers again.');
			[faults, lastReported] = [0, ''];
		} catch (error) {
			if (signal.aborted) return;
			faults += 1;
			const message = formatCallError(error);
			if (message !== lastReported) report(message);
			lastReported = message;
			await pause(clock, signal, backoffMs(error, faults));
		}
	}

	function offsetNow(): number {
		return clock.now() - nextOffset.at < offsetLifeMs ? nextOffset.offset : 0;
	}

	async function handleAll(raws: unknown, offset: number): Promise<void> {
		const updates = (Array.isArray(raws) ? raws : [undefined]).map(readUpdate);
		for (const update of updates) if (update && update.update >= offset) await handleOne(update);
		// Readable updates confirm the unreadable ones among them. If there are none, the platform would send the
		// same updates again at once, so this throws to back off.
		if (updates.length === 0 || updates.every(update => update !== undefined)) return;
		const message = 'The chat platform sent an update that hive cannot read; it is ignored.';
		if (updates.every(update => update === undefined)) throw new Error(message);
		report(message);
	}

	async function handleOne(update: Update): Promise<void> {
		if (signal.aborted) return;
		try {
			await handleUpdate(update);
		} catch (error) {
			// The gateway that takes over handles this update.
			if (signal.aborted) return;
			refusals.push({update, error});
		}
		nextOffset = {offset: update.update + 1, at: clock.now()};
		// A failed write is harmless: taking an update twice has the same effect.
		await setValue(bucket, key, JSON.stringify(nextOffset)).catch(() => {});
	}
};

const readOffset = async (bucket: Bucket, key: string): Promise<ConsumerOffset> => {
	const kept = await bucket.get(key);
	return kept === undefined ? {offset: 0, at: 0} : JSON.parse(kept.value);
};

/**
 * The pause before the next poll, in milliseconds. A retry-after is obeyed. The backoff is longer if another
 * client polls for this bot, or if the token is refused.
 */
const backoffMs = (error: unknown, faults: number): number => {
	const seconds = retryAfter(error);
	if (seconds !== undefined) return seconds * 1000;
	const first = [401, 404, 409].includes(codeOf(error) ?? 0) ? 5000 : 500;
	return Math.min(maxPauseMs, first * 2 ** Math.min(faults - 1, 10));
};
