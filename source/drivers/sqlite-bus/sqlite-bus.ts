import {setImmediate as nextTurn} from 'node:timers/promises';
import {HiveError} from '../../domain/errors.ts';
import type {NewEvent} from '../../domain/event.ts';
import type {Appended, AppendOptions, Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import {createBell} from '../bus/bell.ts';
import {encodeEvent} from '../bus/event-body.ts';
import {followPages, pageSize, readPages, watchChanges} from '../bus/follow.ts';
import {createBlobs} from './blobs.ts';
import {createBuckets} from './buckets.ts';
import {createCommitter} from './committer.ts';
import {createLink} from './link.ts';
import {createLog, type Log} from './log.ts';
import {createPoll} from './poll.ts';
import {type Handlers, type Server, startServer} from './server.ts';
import type {StoreOptions} from './store.ts';

export type SqliteBus = Bus & {
	/**
	 * Takes the appends of every process of the machine over the socket, and answers `emit` and `ping`. Only for the
	 * process that holds the machine's lock; call what it returns before letting go of the lock.
	 */
	readonly serve: (handlers: Handlers) => Promise<() => Promise<void>>;
};

/**
 * The embedded log of a colony: one SQLite file that any process of the machine appends to and follows (design.md §3).
 * A process appends through the reactor when one serves, else straight to the file. What others append is told by the
 * reactor's poke; a slow poll finds what nobody told. A follow keeps the process alive until its signal or `close`.
 *
 * @param options `socket` is where a reactor listens; its path may be of any length.
 */
export const openSqliteBus = async ({
	socket,
	clock,
	...options
}: StoreOptions & {socket: string; clock: Clock}): Promise<SqliteBus> => {
	const {openStore} = await import('./store.ts');
	const store = await openStore(options);
	const closing = new AbortController();
	const underWay = new Set<Promise<unknown>>();
	const bell = createBell();
	const link = createLink(socket, clock, bell.ring);
	let server: Server | undefined;

	const changed = () => {
		bell.ring();
		if (server) server.poke();
		else link.changed();
	};
	const seekReactor = () => {
		if (!server) void link.listen();
	};
	const log = createLog(store, clock);
	const buckets = createBuckets(store, changed);
	const commit = createCommitter(log.append, changed);
	const poll = createPoll(createLook(store.dataVersion, bell.ring, seekReactor));

	const append = async (event: NewEvent, {id, after}: AppendOptions): Promise<Appended> => {
		if (closing.signal.aborted) throw closed(options.file);
		const entrant = {traceId: event.traceId, body: encodeEvent(event), id, after};
		if (server || !link.isWorthTrying()) return commit(entrant);
		const taken = await link.append(event, entrant);
		if (!taken) return commit(entrant);
		bell.ring();
		return taken;
	};
	const following = <Item>(
		signal: AbortSignal,
		follow: (ends: AbortSignal) => AsyncIterable<Item>,
	): AsyncIterable<Item> => {
		const ends = AbortSignal.any([signal, closing.signal]);
		return whileHeld(follow(ends), ends, () => {
			seekReactor();
			return poll.hold();
		});
	};

	return {
		append: (event, appendOptions) => tracked(append(event, appendOptions), underWay),
		read: ({traceId, after}) => readPages(pages(log, traceId), after),
		follow: ({traceId, after, signal}) =>
			following(signal, ends => followPages(pages(log, traceId), bell, after, ends)),
		last: async traceId => log.last(traceId),
		heads: async () => log.heads(),
		forget: async (traceId, before) => log.forget(traceId, before),
		bucket: name => {
			const {changes, ...bucket} = buckets(name);
			return {...bucket, watch: signal => following(signal, ends => watchChanges(changes, bell, ends))};
		},
		blobs: createBlobs(store),
		serve: async handlers => {
			link.end();
			const started = await startServer(socket, {...handlers, append, changed});
			server = started;
			return async () => {
				server = undefined;
				await started.stop();
			};
		},
		close: async () => {
			closing.abort();
			await Promise.allSettled(underWay);
			link.end();
			await server?.stop();
			store.close();
		},
	};
};

/** A full page is followed by more: let others have a turn first. */
const pages = (log: Log, traceId: string | undefined) => async (after: number) => {
	const page = log.page(traceId, after);
	if (page.length === pageSize) await nextTurn();
	return page;
};

/** Rings when somebody else has written, and when the store cannot be asked: who reads it next then meets the fault. */
const createLook = (dataVersion: () => number, ring: () => void, seekReactor: () => void) => {
	let seen: number | undefined;
	return () => {
		seekReactor();
		try {
			const version = dataVersion();
			if (seen !== version) ring();
			seen = version;
		} catch {
			ring();
		}
	};
};

/** Holds on while the items are read, at most until the signal. */
const whileHeld = async function* <Item>(
	items: AsyncIterable<Item>,
	signal: AbortSignal,
	hold: () => () => void,
) {
	if (signal.aborted) return;
	const letGo = hold();
	signal.addEventListener('abort', letGo, {once: true});
	try {
		yield* items;
	} finally {
		signal.removeEventListener('abort', letGo);
		letGo();
	}
};

const tracked = <Result>(work: Promise<Result>, underWay: Set<Promise<unknown>>): Promise<Result> => {
	underWay.add(work);
	const settled = () => underWay.delete(work);
	work.then(settled, settled);
	return work;
};

const closed = (file: string) => new HiveError('bus_unreachable', {message: `The log ${file} is closed.`});
