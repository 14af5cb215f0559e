import {createHash} from 'node:crypto';
import {HiveError} from '../domain/errors.ts';
import type {NewEvent, StoredEvent} from '../domain/event.ts';
import type {Appended, AppendOptions, Bucket, Bus, Entry, IdentifiedEvent} from '../ports/bus.ts';
import {type Clock, timestamp} from '../ports/clock.ts';
import {encodeEvent} from './bus/event-body.ts';
import {type Change, followPages, pageSize, readPages, watchChanges} from './bus/follow.ts';
import {createNotifier, type Notifier} from './bus/notifier.ts';

/**
 * The bus inside one process, for tests and the simulator. It ends with the process. Its semantics are those
 * of the durable drivers.
 */
export const createMemoryBus = ({clock}: {clock: Clock}): Bus => {
	const notifier = createNotifier();
	const closing = new AbortController();
	const ends = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
	const log = createLog(clock);
	const blobs = new Map<string, string>();
	const cells = createCells(clock);
	const expectOpen = () => {
		if (closing.signal.aborted) throw new HiveError('bus_unreachable', {message: 'The event log is closed.'});
	};
	const page = (traceId: string | undefined) => async (after: number) => {
		expectOpen();
		return log.page(traceId, after);
	};
	return {
		address: 'embedded',
		isShared: false,
		watchConnection: () => {},
		append: async (event, options) => {
			expectOpen();
			const appended = log.append(event, options);
			notifier.notify();
			return appended;
		},
		appendAll: async (events, after) => {
			expectOpen();
			const appended = log.appendAll(events, after);
			notifier.notify();
			return appended;
		},
		read: ({traceId, after}) => readPages(page(traceId), after),
		follow: ({traceId, after, signal}) => followPages(page(traceId), notifier, after, ends(signal)),
		last: async traceId => {
			expectOpen();
			return log.last(traceId);
		},
		heads: async () => {
			expectOpen();
			return log.heads();
		},
		forget: async (traceId, before) => {
			expectOpen();
			log.forget(traceId, before);
		},
		bucket: name => createBucket(cells(name), notifier, expectOpen, ends),
		blobs: {
			put: async text => {
				expectOpen();
				const hash = createHash('sha256').update(text).digest('hex');
				blobs.set(hash, text);
				return hash;
			},
			get: async hash => {
				expectOpen();
				return blobs.get(hash);
			},
			remove: async hash => {
				expectOpen();
				blobs.delete(hash);
			},
		},
		close: async () => closing.abort(),
	};
};

const createLog = (clock: Clock) => {
	let all: StoredEvent[] = [];
	let last = 0;
	const traces = new Map<string, StoredEvent[]>();
	const sequences = new Map<string, number>();
	const ofTrace = (traceId: string) => traces.get(traceId) ?? [];
	const append = (event: NewEvent, {id, after}: AppendOptions): Appended => {
		const body = encodeEvent(event);
		const known = sequences.get(id);
		if (known !== undefined) return {ok: true, sequence: known, duplicate: true};
		const events = ofTrace(event.traceId);
		const newest = events.at(-1)?.sequence ?? 0;
		if (after !== undefined && after !== newest) return {ok: false, last: newest};
		last += 1;
		const sequence = last;
		const stored: StoredEvent = {...JSON.parse(body), sequence, id, at: timestamp(clock)};
		all.push(stored);
		traces.set(event.traceId, events);
		events.push(stored);
		sequences.set(id, sequence);
		return {ok: true, sequence, duplicate: false};
	};
	return {
		last: (traceId?: string) => (traceId === undefined ? last : (ofTrace(traceId).at(-1)?.sequence ?? 0)),
		heads: () =>
			new Map(
				[...traces].flatMap(([traceId, events]) =>
					events.slice(-1).map(({sequence}) => [traceId, sequence] as const),
				),
			),
		page: (traceId: string | undefined, after: number) => {
			const events = traceId === undefined ? all : ofTrace(traceId);
			const start = events.findLastIndex(({sequence}) => sequence <= after) + 1;
			return events.slice(start, start + pageSize);
		},
		forget: (traceId: string, before: number) => {
			const gone = ofTrace(traceId).filter(({sequence}) => sequence < before);
			for (const {id} of gone) sequences.delete(id);
			all = all.filter(event => !gone.includes(event));
			traces.set(
				traceId,
				ofTrace(traceId).filter(({sequence}) => sequence >= before),
			);
		},
		append,
		appendAll: (entries: readonly IdentifiedEvent[], after?: number): Appended => {
			// Encoding first makes an event that is too large throw before any event is appended.
			for (const {event} of entries) encodeEvent(event);
			let previous: Appended = {ok: true, sequence: after ?? 0, duplicate: true};
			for (const {event, id} of entries) {
				previous = append(event, after === undefined ? {id} : {id, after: previous.sequence});
				if (!previous.ok) return previous;
			}
			return previous;
		},
	};
};

/** Returns the cells of a bucket by name. All buckets share one count of revisions. */
const createCells = (clock: Clock) => {
	const buckets = new Map<string, Map<string, Change>>();
	const times = new Map<string, number>();
	let revision = 0;
	return (name: string) => {
		const cells = buckets.get(name) ?? new Map<string, Change>();
		buckets.set(name, cells);
		return {
			all: () => [...cells.values()].sort((one, other) => one.revision - other.revision),
			get: (key: string) => present(cells.get(key)),
			age: (key: string) => clock.elapsed() - (times.get(`${name}/${key}`) ?? 0),
			set: (key: string, value: string | undefined) => {
				revision += 1;
				cells.set(key, {key, value, revision});
				times.set(`${name}/${key}`, clock.elapsed());
				return revision;
			},
		};
	};
};

type Cells = ReturnType<ReturnType<typeof createCells>>;

const createBucket = (
	cells: Cells,
	notifier: Notifier,
	expectOpen: () => void,
	ends: (signal: AbortSignal) => AbortSignal,
): Bucket => {
	const change = (key: string, value: string | undefined) => {
		const revision = cells.set(key, value);
		notifier.notify();
		return revision;
	};
	const opened =
		<Input extends unknown[], Output>(use: (...input: Input) => Output) =>
		async (...input: Input) => {
			expectOpen();
			return use(...input);
		};
	return {
		get: opened(cells.get),
		entries: opened(() =>
			cells.all().flatMap(cell => {
				const entry = present(cell);
				return entry === undefined ? [] : {...entry, age: cells.age(cell.key)};
			}),
		),
		create: opened((key, value) => (cells.get(key) ? undefined : change(key, value))),
		update: opened((key, value, revision) =>
			cells.get(key)?.revision === revision ? change(key, value) : undefined,
		),
		delete: opened((key, revision) => {
			if (cells.get(key)?.revision !== revision) return false;
			change(key, undefined);
			return true;
		}),
		watch: signal =>
			watchChanges(after => cells.all().filter(({revision}) => revision > after), notifier, ends(signal)),
	};
};

const present = (cell: Change | undefined): Entry | undefined =>
	cell?.value === undefined ? undefined : {key: cell.key, value: cell.value, revision: cell.revision};
