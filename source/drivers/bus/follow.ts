import type {StoredEvent} from '../../domain/event.ts';
import type {Entry} from '../../ports/bus.ts';
import type {Notifier} from './notifier.ts';

/** Max events in one batch. */
export const pageSize = 1000;

/** Returns the events after a sequence, in order, at most `pageSize` of them. */
export type ReadPage = (after: number) => Promise<readonly StoredEvent[]>;

/** A bucket entry after a change. A deleted entry has no value. */
export type Change = {readonly key: string; readonly value: string | undefined; readonly revision: number};

/** Yields every page until the end of the log. */
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

/** Yields every page, then each new page as it appears, until the signal aborts. */
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
 * Yields the current entries, then the newest state of each key that changes, until the signal aborts.
 * Changes of one key in close succession may arrive as one.
 *
 * @param changes returns the changes after a revision, tombstones included, in order of revision
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
