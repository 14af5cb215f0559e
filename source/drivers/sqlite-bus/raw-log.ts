import {renameSync} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {errorCode} from '../../domain/error-code.ts';
import {HiveError} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import type {Clock} from '../../ports/clock.ts';
import type {KeptEvent, RawLog} from '../../ports/raw-log.ts';
import {sumOf} from '../bus/event-sum.ts';
import {pageSize} from '../bus/follow.ts';
import {readMark, writeMark} from './marks.ts';
import {busOn} from './sqlite-bus.ts';
import {openStore, type Store} from './store.ts';

/**
 * The log in a file, for code that moves or examines it (docs/architecture.md §2). It is made if there is
 * none.
 */
export const openRawFile = async (file: string, clock: Clock): Promise<RawLog> => {
	const store = await openStore({file});
	const {database, read, write} = store;
	const lastAssigned = database.prepare(`select seq from sqlite_sequence where name = 'events'`);
	const page = database.prepare(
		`select sequence, trace_id, id, at, body, previous, sum from events where sequence > ? order by sequence limit ${pageSize}`,
	);
	const insert = database.prepare(
		'insert into events (sequence, trace_id, id, at, body, previous, sum) values (?, ?, ?, ?, ?, ?, ?)',
	);
	const erase = database.prepare('delete from events where sequence = ?');
	const last = (): number => lastAssigned.get()?.seq ?? 0;
	return {
		bus: busOn(store, {clock}),
		mark: async () => readMark(store),
		last: async () => read(last),
		kept: async function* (after) {
			for (let position = after; ; ) {
				const rows: Row[] = read(() => page.all(position));
				const newest = rows.at(-1);
				if (newest === undefined) return;
				yield rows.map(keptIn);
				if (rows.length < pageSize) return;
				position = newest.sequence;
				await nextTurn();
			}
		},
		buckets: async () =>
			read(() =>
				database
					.prepare('select distinct bucket from buckets where value is not null')
					.all()
					.map(({bucket}) => bucket),
			),
		hashes: async () =>
			read(() =>
				database
					.prepare('select hash from blobs')
					.all()
					.map(({hash}) => hash),
			),
		faults: async () => {
			const found: {integrity_check: string}[] = read(() => database.prepare('PRAGMA integrity_check').all());
			return found.map(({integrity_check: problem}) => problem).filter(problem => problem !== 'ok');
		},
		removal: `move ${file} aside, with ${file}-wal, and run this command again`,
		begin: async mark =>
			write(() => {
				if (last() > 0 || readMark(store) !== undefined) return false;
				writeMark(store, mark);
				return true;
			}),
		resume: async mark => write(() => writeMark(store, mark)),
		clear: async () =>
			write(() => {
				writeMark(store, undefined);
				for (const table of ['events', 'buckets', 'blobs']) database.exec(`delete from ${table}`);
				database.exec(`delete from sqlite_sequence where name = 'events'`);
			}),
		put: async events =>
			write(() => {
				for (const kept of events) putOne(store, insert, kept);
			}),
		drop: async sequences =>
			write(() => {
				for (const sequence of sequences) erase.run(sequence);
			}),
		endAt: async end =>
			write(() => {
				if (last() > 0)
					database.prepare(`update sqlite_sequence set seq = max(seq, ?) where name = 'events'`).run(end);
				else if (end > 0) database.prepare(`insert into sqlite_sequence values ('events', ?)`).run(end);
			}),
		shut: async mark => write(() => writeMark(store, mark)),
		open: async () => write(() => writeMark(store, undefined)),
		close: async () => store.close(),
	};
};

type Row = {
	sequence: number;
	trace_id: string;
	id: string;
	at: string;
	body: string;
	previous: number | null;
	sum: string | null;
};

const keptIn = ({sequence, trace_id: traceId, id, at, body, previous: noted, sum}: Row): KeptEvent => {
	const previous = noted ?? undefined;
	const isOlder = sum === null && noted === null;
	const isRight = sum === sumOf({sequence, traceId, id, at, previous, body});
	const event = eventIn(body);
	if (event === undefined || event.traceId !== traceId)
		return {sequence, event: undefined, previous, sum: 'wrong'};
	return {
		sequence,
		event: Object.assign(event, {sequence, id, at}),
		previous,
		sum: isOlder ? 'none' : isRight ? 'right' : 'wrong',
	};
};

const eventIn = (body: string): StoredEvent | undefined => {
	try {
		const event = JSON.parse(body);
		return typeof event?.payload?.kind === 'string' ? event : undefined;
	} catch {
		return undefined;
	}
};

const putOne = (
	store: Store,
	insert: ReturnType<Store['database']['prepare']>,
	{event, previous}: KeptEvent,
): void => {
	if (event === undefined) return;
	const {sequence, id, at, ...envelope} = event;
	const {traceId} = envelope;
	const body = JSON.stringify(envelope);
	const sum = sumOf({sequence, traceId, id, at, previous, body});
	try {
		insert.run(sequence, traceId, id, at, body, previous ?? null, sum);
	} catch (cause) {
		if (!(cause instanceof Error && /UNIQUE/.test(cause.message))) throw cause;
		throw new HiveError('log_damaged', {
			message: `Another process writes to the copy in ${store.file}: it already has event ${sequence}, or its id.`,
			hint: 'Stop every other hive process of this checkout, move that file aside, and run "hive bus move" again.',
			cause,
		});
	}
};

/**
 * Renames the file of a moved log, and returns its new name, which says so. Throws `log_in_use` while another
 * process reads from it.
 */
export const setAside = async (file: string, now: string): Promise<string> => {
	const store = await openStore({file});
	const {busy} = store.read(() => store.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get());
	store.close();
	if (busy !== 0)
		throw new HiveError('log_in_use', {
			message: `Another process reads the old log ${file}; nothing was changed.`,
		});
	const aside = `${file.replace(/\.sqlite$/, '')}-moved-${now.replace(/[^0-9TZ]/g, '')}.sqlite`;
	renameSync(file, aside);
	for (const beside of ['-wal', '-shm']) renameIfThere(`${file}${beside}`, `${aside}${beside}`);
	return aside;
};

const renameIfThere = (from: string, to: string): void => {
	try {
		renameSync(from, to);
	} catch (error) {
		if (errorCode(error) !== 'ENOENT') throw error;
	}
};
