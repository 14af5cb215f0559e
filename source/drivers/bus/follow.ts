import type {StoredEvent} from '../../domain/event.ts';
import type {Entry} from '../../ports/bus.ts';
import type {Notifier} from './notifier.ts';

/** At most this many events in one batch. */
export const pageSize = 1000;

/** The events after a sequence, in order, at most `pageSize` of them. */
export type ReadPage = (after: number) => Promise<readonly StoredEvent[]>;

/** A bucket entry as it stands after a change; no value: deleted. */
export type Change = {readonly key: string; readonly value: string | undefined; readonly revision: number};

/** Every page until the log is read. */
export const readPages = async function* (read: ReadPage, after: number) {
	let position = after;
	for (;;) {
		const page = await read(position);
		const newest = page.at(-1);
		if (newest) yield page;
		if (!newest || page.length < pageSize) return;
		position = newest.sequence;
	}
};

/** Every page, then each new page when there is one, until the signal. */
export const followPages = async function* (
	read: ReadPage,
	notifier: Notifier,
	after: number,
	signal: AbortSignal,
) {
	let position = after;
	while (!signal.aborted) {
		const known = notifier.count();
		const page = await read(position);
		if (signal.aborted) return;
		const newest = page.at(-1);
		if (newest) {
			position = newest.sequence;
			yield page;
		}
		if (page.length < pageSize) await notifier.changedSince(known, signal);
	}
};

/**
 * The entries that are there, then the newest state of each key that changes, until the signal.
 * Changes of one key that follow each other closely may arrive as one.
 *
 * @param changes What changed after a revision, tombstones included, in order of revision.
 */
export const watchChanges = async function* (
	changes: (after: number) => readonly Change[],
	notifier: Notifier,
	signal: AbortSignal,
): AsyncGenerator<{key: string; entry: Entry | undefined}> {
	let position = 0;
	for (let first = true; !signal.aborted; first = false) {
		const known = notifier.count();
		for (const {key, value, revision} of changes(position)) {
			if (signal.aborted) return;
			position = revision;
			if (value !== undefined) yield {key, entry: {key, value, revision}};
			else if (!first) yield {key, entry: undefined};
		}
		await notifier.changedSince(known, signal);
	}
};
