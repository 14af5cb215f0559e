import {setImmediate as nextTurn} from 'node:timers/promises';
import {HiveError} from '../../domain/errors.ts';
import type {NewEvent} from '../../domain/event.ts';
import {markedLogError} from '../../domain/log-mark.ts';
import type {Appended, Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import type {ReactorChannel} from '../../ports/reactor-channel.ts';
import {encodeEvent} from '../bus/event-body.ts';
import {followPages, pageSize, readPages, watchChanges} from '../bus/follow.ts';
import {createNotifier} from '../bus/notifier.ts';
import {createSharedResource} from '../shared-resource.ts';
import {createBlobs} from './blobs.ts';
import {createBuckets} from './buckets.ts';
import {createCommitter} from './committer.ts';
import {createLog, type EncodedEvent, type Log} from './log.ts';
import {readMark} from './marks.ts';
import type {Store, StoreOptions} from './store.ts';

/**
 * Milliseconds between polls of the file for changes that no process has announced. An idle reactor wakes for
 * nothing else (docs/performance.md row 39).
 */
const pollIntervalMs = 250;

/**
 * The embedded log of a colony: one SQLite file that all processes of the machine append to and follow
 * (docs/architecture.md §2). `append` goes through the reactor if the channel reaches one, else to the file.
 * `appendAll` always goes to the file. Followers are notified by the channel, and poll the file for other
 * changes. Following keeps the process alive until its signal or `close`.
 *
 * @param options Without `channel` the process uses the file only. The code that made the channel closes it,
 * after the bus.
 */
export const openSqliteBus = async ({
	channel,
	clock,
	...options
}: StoreOptions & {channel?: ReactorChannel; clock: Clock}): Promise<Bus> => {
	const {openStore} = await import('./store.ts');
	const store = await openStore(options);
	const mark = readMark(store);
	if (mark === undefined) return busOn(store, {channel, clock});
	store.close();
	throw markedLogError(options.file, mark);
};

/** The bus on an open file. `close` closes the file. */
export const busOn = (
	store: Store,
	{channel, clock}: {readonly channel?: ReactorChannel | undefined; readonly clock: Clock},
): Bus => {
	const closing = new AbortController();
	const underWay = new Set<Promise<unknown>>();
	/** Separate notifiers, so that an append does not wake the watchers of buckets. */
	const logNotifier = createNotifier();
	const bucketNotifier = createNotifier();

	const throwIfClosed = () => {
		if (closing.signal.aborted) throw closed(store.file);
	};
	/** Wakes all followers: another process may have changed the file, or the file cannot be read. */
	const notify = () => {
		logNotifier.notify();
		bucketNotifier.notify();
	};
	const notifyOthers = () => channel?.notify();
	const log = createLog(store, clock);
	const commit = createCommitter(store.write, notifyOthers);
	const changed = () => {
		bucketNotifier.notify();
		notifyOthers();
	};
	const buckets = createBuckets(store, {commit, notifier: bucketNotifier, changed});
	const poll = createPoll(store.dataVersion, notify);
	const keepPolling = createSharedResource(() => {
		const timer = setInterval(poll, pollIntervalMs);
		const unsubscribe = channel?.subscribe(notify);
		return () => {
			clearInterval(timer);
			unsubscribe?.();
		};
	});

	const add = (events: readonly EncodedEvent[], after: number | undefined): Promise<Appended> =>
		commit(() => log.append(events, after), logNotifier);
	const append: Bus['append'] = async (event, {id, after}) => {
		throwIfClosed();
		const encoded = encodeWithId(event, id);
		const appended = await channel?.append(event, after === undefined ? {id} : {id, after});
		if (appended === undefined) return add([encoded], after);
		logNotifier.notify();
		return appended;
	};
	// Always goes to the file: the caller is usually the reactor itself.
	const appendAll: Bus['appendAll'] = async (events, after) => {
		throwIfClosed();
		return add(
			events.map(({event, id}) => encodeWithId(event, id)),
			after,
		);
	};
	const following = <Item>(
		signal: AbortSignal,
		follow: (ends: AbortSignal) => AsyncIterable<Item>,
	): AsyncIterable<Item> => {
		const ends = AbortSignal.any([signal, closing.signal]);
		return whileHeld(follow(ends), ends, keepPolling);
	};

	return {
		address: 'embedded',
		isShared: false,
		watchConnection: () => {},
		append: (event, appendOptions) => tracked(append(event, appendOptions), underWay),
		appendAll: (events, after) => tracked(appendAll(events, after), underWay),
		read: ({traceId, after}) => readPages(pages(log, traceId), after),
		follow: ({traceId, after, signal}) =>
			following(signal, ends => followPages(pages(log, traceId), logNotifier, after, ends)),
		last: async traceId => log.last(traceId),
		heads: async () => log.heads(),
		forget: async (traceId, before) => log.forget(traceId, before),
		bucket: name => {
			const {changes, ...bucket} = buckets(name);
			return {
				...bucket,
				create: (key, value) => tracked(bucket.create(key, value), underWay),
				update: (key, value, revision) => tracked(bucket.update(key, value, revision), underWay),
				watch: signal => following(signal, ends => watchChanges(changes, bucketNotifier, ends)),
			};
		},
		blobs: createBlobs(store),
		close: async () => {
			closing.abort();
			await Promise.allSettled(underWay);
			store.close();
		},
	};
};

const encodeWithId = (event: NewEvent, id: string): EncodedEvent => ({
	traceId: event.traceId,
	body: encodeEvent(event),
	id,
});

/** Yields to the event loop after a full page, since more pages follow. */
const pages = (log: Log, traceId: string | undefined) => async (after: number) => {
	const page = log.page(traceId, after);
	if (page.length === pageSize) await nextTurn();
	return page;
};

/**
 * Notifies if another process has written. Also notifies if the store cannot be read, so that followers read
 * and get the error.
 */
const createPoll = (dataVersion: () => number, notify: () => void) => {
	let known: number | undefined;
	return () => {
		try {
			const version = dataVersion();
			if (known !== version) notify();
			known = version;
		} catch {
			notify();
		}
	};
};

/** Keeps polling (`hold`) while the items are consumed, at most until the signal aborts. */
const whileHeld = async function* <Item>(
	items: AsyncIterable<Item>,
	signal: AbortSignal,
	hold: () => () => void,
) {
	if (signal.aborted) return;
	const release = hold();
	signal.addEventListener('abort', release, {once: true});
	try {
		yield* items;
	} finally {
		signal.removeEventListener('abort', release);
		release();
	}
};

const tracked = <Result>(work: Promise<Result>, underWay: Set<Promise<unknown>>): Promise<Result> => {
	underWay.add(work);
	const finished = () => underWay.delete(work);
	work.then(finished, finished);
	return work;
};

const closed = (file: string) => new HiveError('bus_unreachable', {message: `The log ${file} is closed.`});
