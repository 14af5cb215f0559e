import type {Api} from 'grammy/web';
import type {Bucket, Context} from '../cards.ts';
import {codeOf, faultWords, retryAfter} from './calls.ts';
import {readUpdate, type Update} from './updates.ts';

type Polling = {
	readonly api: Pick<Api, 'getUpdates'>;
	readonly clock: Context['clock'];
	readonly bucket: Bucket;
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

/**
 * Takes the updates one after the other, until the signal. The offset is behind what is kept: an update that was being taken when the
 * process died comes again, and one that was refused does not.
 */
export const poll = async ({api, clock, bucket, signal, take, refused, report}: Polling): Promise<void> => {
	let offset = Number((await bucket.get(offsetKey))?.value ?? 0);
	let faults = 0;
	let said = '';
	while (!signal.aborted) {
		try {
			const updates = await api.getUpdates(
				{offset, timeout: waitSeconds, allowed_updates: ['message', 'callback_query']},
				signal as Parameters<Api['getUpdates']>[1],
			);
			if (said !== '') report('The chat platform is there again.');
			[faults, said] = [0, ''];
			for (const raw of Array.isArray(updates) ? updates : []) await takeOne(raw);
		} catch (error) {
			if (signal.aborted) return;
			faults += 1;
			const words = faultWords(error);
			if (words !== said) report(words);
			said = words;
			await pause(clock, signal, pauseAfter(error, faults));
		}
	}

	async function takeOne(raw: unknown): Promise<void> {
		if (signal.aborted) return;
		const update = readUpdate(raw);
		if (update === undefined)
			return report('The chat platform sent something that is no update; it is left out.');
		if (update.update < offset) return;
		try {
			await take(update);
			await keepOffset(bucket, update.update + 1);
			offset = update.update + 1;
		} catch (error) {
			// Whoever comes after this one takes it.
			if (signal.aborted) return;
			// Confirmed first: what is refused must not be done when the log is back.
			offset = update.update + 1;
			await api.getUpdates({offset, limit: 1, timeout: 0});
			await refused(update, error);
		}
	}
};

const offsetKey = 'telegram.offset';

const keepOffset = async (bucket: Bucket, offset: number): Promise<void> => {
	for (;;) {
		const known = await bucket.get(offsetKey);
		if (known !== undefined && Number(known.value) >= offset) return;
		const kept = await (known === undefined
			? bucket.create(offsetKey, String(offset))
			: bucket.update(offsetKey, String(offset), known.revision));
		if (kept !== undefined) return;
	}
};

/** Milliseconds. Whoever is told to wait does; where somebody else polls, or the token is not taken, it is long. */
const pauseAfter = (error: unknown, faults: number): number => {
	const seconds = retryAfter(error);
	if (seconds !== undefined) return seconds * 1000;
	const first = [401, 404, 409].includes(codeOf(error) ?? 0) ? 5000 : 500;
	return Math.min(longestPause, first * 2 ** Math.min(faults - 1, 10));
};

export const pause = (clock: Context['clock'], signal: AbortSignal, milliseconds: number): Promise<void> =>
	new Promise(resolve => {
		const end = (): void => {
			cancel();
			signal.removeEventListener('abort', end);
			resolve();
		};
		const cancel = clock.after(milliseconds, end);
		signal.addEventListener('abort', end);
		if (signal.aborted) end();
	});
