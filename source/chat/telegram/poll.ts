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
	/** Where it is kept how far the updates were taken. */
	readonly key: string;
	/** Stops it: another gateway polls, or this one ends. */
	readonly signal: AbortSignal;
	/** Resolves when what the update says is kept; rejects where it could not be, and it is refused then. */
	readonly take: (update: Update) => Promise<void>;
	/** The update was refused, and does not come again. */
	readonly refused: (update: Update, error: unknown) => Promise<void>;
	readonly report: (message: string) => void;
};

const waitSeconds = 25;
const longestPause = 60_000;

/** Behind what was taken, and when that was, UTC milliseconds. */
type Watermark = {readonly offset: number; readonly at: number};

/**
 * The platform counts anew, from anywhere, when nothing was said to a bot for a week. What was not confirmed
 * comes without an offset.
 */
const validMilliseconds = 6 * 24 * 60 * 60 * 1000;

/**
 * Takes the updates one after the other, until the signal. The offset is behind what is kept: an update that
 * was being taken when the process died comes again, and one that was refused does not.
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
			// To ask for what comes behind has confirmed them: what is refused is not done when the log is back.
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
		// Those that can be read confirm the others; where there is none it would be the same again at once.
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
			// Whoever comes after this one takes it.
			if (signal.aborted) return;
			refusals.push({update, error});
		}
		taken = {offset: update.update + 1, at: clock.now()};
		// What is taken is so without that too: taken again it is the same.
		await put(bucket, key, JSON.stringify(taken)).catch(() => {});
	}
};

const readWatermark = async (bucket: Bucket, key: string): Promise<Watermark> => {
	const kept = await bucket.get(key);
	return kept === undefined ? {offset: 0, at: 0} : JSON.parse(kept.value);
};

/**
 * Milliseconds. Whoever is told to wait does; where somebody else polls, or the token is not taken, it is
 * long.
 */
const pauseAfter = (error: unknown, faults: number): number => {
	const seconds = retryAfter(error);
	if (seconds !== undefined) return seconds * 1000;
	const first = [401, 404, 409].includes(codeOf(error) ?? 0) ? 5000 : 500;
	return Math.min(longestPause, first * 2 ** Math.min(faults - 1, 10));
};
