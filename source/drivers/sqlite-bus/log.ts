import type {StoredEvent} from '../../domain/event.ts';
import {rangesIn, withSequences} from '../../domain/ranges.ts';
import type {Appended} from '../../ports/bus.ts';
import {type Clock, timestamp} from '../../ports/clock.ts';
import {sumOf} from '../bus/event-sum.ts';
import {pageSize} from '../bus/follow.ts';
import type {Database} from './database.ts';
import {forgetting} from './forgetting.ts';
import type {Store} from './store.ts';

/** An event to append, as JSON. */
export type EncodedEvent = {readonly traceId: string; readonly body: string; readonly id: string};

export type Log = {
	/**
	 * Appends the events in order. With `after`, each must directly follow the one before it in the trace. Call
	 * it inside a transaction. Returns the result of the last.
	 */
	readonly append: (events: readonly EncodedEvent[], after?: number) => Appended;
	/** Returns at most `pageSize` events after a sequence. */
	readonly page: (traceId: string | undefined, after: number) => StoredEvent[];
	readonly last: (traceId?: string) => number;
	readonly heads: () => ReadonlyMap<string, number>;
	/** Removes the trace's events before a sequence. */
	readonly forget: (traceId: string, before: number) => void;
};

export const createLog = (store: Store, clock: Clock): Log => {
	const {database, read} = store;
	const columns = 'select sequence, id, at, body from events';
	const insert = database.prepare(
		'insert into events (sequence, trace_id, id, at, body, previous, sum) values (?, ?, ?, ?, ?, ?, ?)',
	);
	const lastAssigned = database.prepare(`select seq from sqlite_sequence where name = 'events'`);
	const byId = database.prepare('select sequence from events where id = ?');
	const lastOfTrace = database.prepare(
		'select coalesce(max(sequence), 0) as last from events where trace_id = ?',
	);
	const lastOfAll = database.prepare('select coalesce(max(sequence), 0) as last from events');
	const pageOfAll = database.prepare(`${columns} where sequence > ? order by sequence limit ${pageSize}`);
	const pageOfTrace = database.prepare(
		`${columns} where trace_id = ? and sequence > ? order by sequence limit ${pageSize}`,
	);
	// Steps from trace to trace in the index, so its cost grows with the number of traces, not of events.
	const lastOfEach = database.prepare(`with recursive known(trace) as (
		select min(trace_id) from events
		union all
		select (select min(trace_id) from events where trace_id > trace) from known where trace is not null
	) select trace, (select max(sequence) from events where trace_id = trace) as last from known where trace is not null`);
	const erase = database.prepare('delete from events where trace_id = ? and sequence < ? returning sequence');
	const noteForgotten = createForgottenNotes(database);

	const known = (id: string): Appended | undefined => {
		const row = byId.get(id);
		return row && {ok: true, sequence: row.sequence, duplicate: true};
	};
	const appendOne = ({traceId, body, id}: EncodedEvent, after: number | undefined): Appended => {
		const duplicate = known(id);
		if (duplicate !== undefined) return duplicate;
		const {last: previous} = lastOfTrace.get(traceId);
		if (after !== undefined && previous !== after) return {ok: false, last: previous};
		// The sequence is explicit, so that the checksum covers it. A duplicate takes none, so every gap is of
		// forgotten events.
		const sequence = (lastAssigned.get()?.seq ?? 0) + 1;
		const at = timestamp(clock);
		const sum = sumOf({sequence, traceId, id, at, previous, body});
		insert.run(sequence, traceId, id, at, body, previous, sum);
		return {ok: true, sequence, duplicate: false};
	};

	return {
		append: (events, after) =>
			events.reduce<Appended>(
				(previous, encoded) =>
					previous.ok ? appendOne(encoded, after === undefined ? undefined : previous.sequence) : previous,
				{ok: true, sequence: after ?? 0, duplicate: true},
			),
		page: (traceId, after) =>
			read(() =>
				(traceId === undefined ? pageOfAll.all(after) : pageOfTrace.all(traceId, after)).map(stored),
			),
		last: traceId => read(() => (traceId === undefined ? lastOfAll.get() : lastOfTrace.get(traceId)).last),
		heads: () => read(() => new Map(lastOfEach.all().map(({trace, last}) => [trace, last]))),
		forget: (traceId, before) =>
			void forgetting(store, () =>
				noteForgotten(
					traceId,
					erase.all(traceId, before).map(({sequence}) => sequence),
				),
			),
	};
};

/** Records which sequences of a trace were removed on purpose. Every other gap of the log is damage. */
const createForgottenNotes = (database: Database) => {
	const find = database.prepare(`select value from buckets where bucket = 'forgotten' and key = ?`);
	const note = database.prepare(
		`insert into buckets (revision, bucket, key, value)
		values ((select coalesce(max(revision), 0) + 1 from buckets), 'forgotten', ?, ?)
		on conflict (bucket, key) do update set revision = excluded.revision, value = excluded.value`,
	);
	return (traceId: string, sequences: readonly number[]): void => {
		if (sequences.length === 0) return;
		const known = rangesIn(find.get(traceId)?.value ?? '');
		note.run(traceId, JSON.stringify(withSequences(known, sequences)));
	};
};

type Row = {sequence: number; id: string; at: string; body: string};

const stored = ({sequence, id, at, body}: Row): StoredEvent =>
	Object.assign(JSON.parse(body), {sequence, id, at});
