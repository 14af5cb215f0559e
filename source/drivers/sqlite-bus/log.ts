import type {StoredEvent} from '../../domain/event.ts';
import type {Appended} from '../../ports/bus.ts';
import {type Clock, timestamp} from '../../ports/clock.ts';
import {pageSize} from '../bus/follow.ts';
import {forgetting} from './forgetting.ts';
import type {Store} from './store.ts';

/** An event on its way into the log, as JSON. */
export type Entrant = {readonly traceId: string; readonly body: string; readonly id: string};

export type Log = {
	/** One behind the other, where each finds the one before it; inside a transaction. The answer is that of the last. */
	readonly append: (entrants: readonly Entrant[], after?: number) => Appended;
	/** At most `pageSize` events after a sequence. */
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
		'insert into events (trace_id, id, at, body) values (?, ?, ?, ?) on conflict (id) do nothing',
	);
	const byId = database.prepare('select sequence from events where id = ?');
	const lastOfTrace = database.prepare(
		'select coalesce(max(sequence), 0) as last from events where trace_id = ?',
	);
	const lastOfAll = database.prepare('select coalesce(max(sequence), 0) as last from events');
	const pageOfAll = database.prepare(`${columns} where sequence > ? order by sequence limit ${pageSize}`);
	const pageOfTrace = database.prepare(
		`${columns} where trace_id = ? and sequence > ? order by sequence limit ${pageSize}`,
	);
	// From trace to trace in the index, so that it costs as much as there are traces, not events.
	const lastOfEach = database.prepare(`with recursive known(trace) as (
		select min(trace_id) from events
		union all
		select (select min(trace_id) from events where trace_id > trace) from known where trace is not null
	) select trace, (select max(sequence) from events where trace_id = trace) as last from known where trace is not null`);
	const erase = database.prepare('delete from events where trace_id = ? and sequence < ?');

	const known = (id: string): Appended | undefined => {
		const row = byId.get(id);
		return row && {ok: true, sequence: row.sequence, duplicate: true};
	};
	const appendOne = ({traceId, body, id}: Entrant, after: number | undefined): Appended => {
		if (after !== undefined) {
			const {last} = lastOfTrace.get(traceId);
			if (last !== after) return known(id) ?? {ok: false, last};
		}
		const {changes, lastInsertRowid} = insert.run(traceId, id, timestamp(clock), body);
		const added: Appended = {ok: true, sequence: Number(lastInsertRowid), duplicate: false};
		return changes === 0 ? (known(id) ?? added) : added;
	};

	return {
		append: (entrants, after) =>
			entrants.reduce<Appended>(
				(previous, entrant) =>
					previous.ok ? appendOne(entrant, after === undefined ? undefined : previous.sequence) : previous,
				{ok: true, sequence: after ?? 0, duplicate: true},
			),
		page: (traceId, after) =>
			read(() =>
				(traceId === undefined ? pageOfAll.all(after) : pageOfTrace.all(traceId, after)).map(stored),
			),
		last: traceId => read(() => (traceId === undefined ? lastOfAll.get() : lastOfTrace.get(traceId)).last),
		heads: () => read(() => new Map(lastOfEach.all().map(({trace, last}) => [trace, last]))),
		forget: (traceId, before) => void forgetting(store, () => erase.run(traceId, before)),
	};
};

type Row = {sequence: number; id: string; at: string; body: string};

const stored = ({sequence, id, at, body}: Row): StoredEvent =>
	Object.assign(JSON.parse(body), {sequence, id, at});
