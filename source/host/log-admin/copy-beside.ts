import {createHash} from 'node:crypto';
import {HiveError} from '../../domain/errors.ts';
import type {Bus} from '../../ports/bus.ts';
import type {RawLog} from '../../ports/raw-log.ts';
import {loadPending} from '../../reactor/pending.ts';

/** Heartbeats, which are useless in the copy. */
const liveness = 'places';
/** The bucket of cursors, and the key of the cursor in a log of one checkout. */
const cursors = 'reactor';
const ownCursor = 'considered';

/** Number of values or texts that are copied at the same time. */
const atOnce = 32;

/**
 * Makes the target's buckets equal to the source's, except for revisions. The cursor of pending runs gets the
 * key that the target uses. Returns the number of values.
 *
 * @param checkout id of this checkout
 */
export const copyBuckets = async (source: RawLog, target: RawLog, checkout: string): Promise<number> => {
	let count = 0;
	// A copy that was the log before may have buckets that the source emptied since.
	for (const name of new Set([...(await source.buckets()), ...(await target.buckets())])) {
		if (name === liveness) continue;
		const isOwn = (key: string) => name === cursors && key === ownCursor;
		const from = await valuesOf(source.bus, name);
		const there = target.bus.bucket(name);
		const present = new Map((await there.entries()).map(entry => [entry.key, entry]));
		const changes = [...from].filter(([key, value]) => !isOwn(key) && present.get(key)?.value !== value);
		await together(changes, async ([key, value]) => {
			const known = present.get(key);
			await (known ? there.update(key, value, known.revision) : there.create(key, value));
		});
		const gone = [...present.values()].filter(({key}) => !isOwn(key) && !from.has(key));
		await together(gone, ({key, revision}) => there.delete(key, revision));
		const copied = await valuesOf(target.bus, name);
		for (const [key, value] of from)
			if (!isOwn(key) && copied.get(key) !== value)
				throw besideDiffers(target, `${key} of the bucket ${name}`);
		count += from.size;
		if (name === cursors && from.size > 0) await copyCursor(source, target, checkout);
	}
	return count;
};

const valuesOf = async (bus: Bus, name: string): Promise<Map<string, string>> =>
	new Map((await bus.bucket(name).entries()).map(({key, value}) => [key, value]));

/** Moves the cursor only forward, so it may be repeated. */
const copyCursor = async (source: RawLog, target: RawLog, checkout: string): Promise<void> => {
	const pending = await loadPending(source.bus, checkout);
	await (await loadPending(target.bus, checkout)).save(pending.cursor());
};

/**
 * Copies the large texts that the target lacks, and reads each of them back. Throws `log_damaged` if a text
 * does not match its hash.
 */
export const copyTexts = async (source: RawLog, target: RawLog, signal: AbortSignal): Promise<number> => {
	const hashes = await source.hashes();
	await together(hashes, async hash => {
		signal.throwIfAborted();
		if (hashOf(await target.bus.blobs.get(hash)) === hash) return;
		const text = await source.bus.blobs.get(hash);
		if (text === undefined) return;
		if (hashOf(text) !== hash)
			throw new HiveError('log_damaged', {
				message: `The large text ${hash} beside the log at ${source.bus.address} was changed after it was written.`,
			});
		await target.bus.blobs.put(text);
		if (hashOf(await target.bus.blobs.get(hash)) !== hash)
			throw besideDiffers(target, `the large text ${hash}`);
	});
	const known = new Set(hashes);
	for (const hash of await target.hashes()) if (!known.has(hash)) await target.bus.blobs.remove(hash);
	return hashes.length;
};

/** The name of a text is its hash. */
const hashOf = (text: string | undefined): string | undefined =>
	text === undefined ? undefined : createHash('sha256').update(text).digest('hex');

const besideDiffers = (target: RawLog, content: string) =>
	new HiveError('log_damaged', {
		message: `The copy at ${target.bus.address} differs from the log in ${content}. The log stays where it is.`,
		hint: 'Run "hive bus move" again with --replace: it makes the copy anew.',
	});

/** Does the work on all items, a limited number at a time. */
const together = async <Item>(
	items: readonly Item[],
	work: (item: Item) => Promise<unknown>,
): Promise<void> => {
	for (let start = 0; start < items.length; start += atOnce)
		await Promise.all(items.slice(start, start + atOnce).map(work));
};
