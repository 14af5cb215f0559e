import {HiveError} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {isName} from '../domain/ids.ts';
import {emptyTrace, isShown, type Trace} from '../domain/trace.ts';
import type {Bus} from '../ports/bus.ts';
import {loadCheckpoints, readCheckpoint, readLive, writeCheckpoint, writeLive} from './checkpoint-store.ts';
import {Draft} from './draft.ts';
import {type Applied, applyEvents, foldInto} from './reduce.ts';

/** The folded state of a colony's log up to `position()`. */
export type Ledger = {
	/** The trace's snapshot; an empty one if the log has no event of it. */
	readonly snapshot: (traceId: string) => Trace;
	/** As `snapshot`, but `undefined` for a trace that is not loaded, even if the log has events of it. */
	readonly folded: (traceId: string) => Trace | undefined;
	/** The traces to show to people: all that are loaded and not purged. */
	readonly traces: () => ReadonlyMap<string, Trace>;
	/** The last sequence folded. */
	readonly position: () => number;
	/** Folds events of any traces, in order. Returns the result for each trace. */
	readonly apply: (events: readonly StoredEvent[]) => ReadonlyMap<string, Applied>;
	/**
	 * Folds these traces up to `position()` if `openLiveLedger` left them out. Call it before reading them or
	 * applying events to them.
	 */
	readonly load: (traceIds: Iterable<string>) => Promise<void>;
	/**
	 * Unloads a trace, so that it has to be loaded again before it is read or events are applied to it. Returns
	 * false and does nothing if its checkpoint is not written.
	 */
	readonly forget: (traceId: string) => boolean;
	/**
	 * Writes the checkpoints of traces that changed since their last ones.
	 *
	 * @param isLive the traces that `openLiveLedger` is to fold at the next start; if absent, no note is
	 * written
	 * @param policy skips a checkpoint, or the note, that is large compared with the number of events since
	 */
	readonly checkpoint: (isLive?: (trace: Trace) => boolean, policy?: CheckpointPolicy) => Promise<void>;
};

type CheckpointPolicy = {
	/**
	 * A checkpoint is written if new events × `worthOfEvent` ≥ tasks + runs of its trace; the note, if ≥ shown
	 * traces.
	 */
	readonly eventWeight: number;
	/** False if another process writes the checkpoint of the trace. */
	readonly isOwn: (trace: Trace) => boolean;
};

/**
 * Opens the checkpoint of each trace and folds the events after it. A trace whose checkpoint is lost, torn or
 * of an old version is folded from its first event. Throws `log_replaced` if a checkpoint is ahead of the
 * log.
 */
export const openLedger = async (bus: Bus): Promise<Ledger> => {
	const traces = await loadCheckpoints(bus);
	const heads = await bus.heads();
	for (const {traceId, sequence} of traces.values()) expectCovered(heads.get(traceId) ?? 0, sequence);
	const position = newestOf(heads);
	const changed = new Map<string, number>();
	for (const [traceId, head] of heads) {
		if (!isName(traceId)) continue;
		const known = traces.get(traceId) ?? emptyTrace(traceId);
		if (known.sequence >= head) continue;
		traces.set(traceId, await foldTail(bus, known, position));
		changed.set(traceId, Number.POSITIVE_INFINITY);
	}
	return createLedger(bus, traces, {position, changed});
};

const newestOf = (heads: ReadonlyMap<string, number>): number =>
	[...heads.values()].reduce((newest, head) => Math.max(newest, head), 0);

/**
 * As `openLedger`, but without the traces that were finished when the checkpoints were written. Those are
 * loaded when a new event of them arrives. Folds all traces if there is no note of the live ones.
 */
export const openLiveLedger = async (bus: Bus): Promise<Ledger> => {
	const noted = await readLive(bus);
	if (noted === undefined) return openLedger(bus);
	const {sequence, live} = noted;
	expectCovered(await bus.last(), sequence);
	const ledger = createLedger(bus, new Map(), {position: sequence, changed: new Map()});
	await ledger.load(live);
	await foldMissing(bus, ledger);
	return ledger;
};

/**
 * Loads a single trace: its checkpoint and the events after it, up to a sequence. Empty for an invalid id.
 * Throws `log_replaced` if the log ends before the checkpoint.
 */
export const loadTrace = async (bus: Bus, traceId: string, upTo?: number): Promise<Trace> => {
	if (!isName(traceId)) return emptyTrace(traceId);
	const known = await readCheckpoint(bus, traceId);
	if (known !== undefined) expectCovered(await bus.last(traceId), known.sequence);
	return foldTail(bus, known ?? emptyTrace(traceId), upTo);
};

/**
 * Brings an earlier snapshot of a trace up to date. The cost depends on the events since. Throws
 * `log_replaced` if the log ends before the snapshot.
 */
export const catchUp = async (bus: Bus, known: Trace): Promise<Trace> => {
	const last = await bus.last(known.traceId);
	expectCovered(last, known.sequence);
	return last === known.sequence ? known : foldTail(bus, known);
};

/** Returns the trace up to date: from an earlier snapshot if given, else from its checkpoint. */
export const loadNewest = (bus: Bus, traceId: string, folded: Trace | undefined): Promise<Trace> =>
	folded === undefined ? loadTrace(bus, traceId) : catchUp(bus, folded);

/** Folds the events after `position()` into the ledger. Throws `log_replaced` if the log ends before it. */
export const catchUpLedger = async (bus: Bus, ledger: Ledger): Promise<void> => {
	// Another reader of the ledger may move it meanwhile.
	const position = ledger.position();
	const last = await bus.last();
	expectCovered(last, position);
	if (last > position) await foldMissing(bus, ledger);
};

/** Folds all events after `position()`, and loads the traces that were left out. */
const foldMissing = async (bus: Bus, ledger: Ledger): Promise<void> => {
	for await (const events of bus.read({after: ledger.position()})) {
		await ledger.load(events.map(({traceId}) => traceId));
		ledger.apply(events);
	}
};

const foldTail = async (bus: Bus, known: Trace, upTo = Number.POSITIVE_INFINITY): Promise<Trace> => {
	const draft = new Draft(known);
	for await (const events of bus.read({traceId: known.traceId, after: known.sequence})) {
		for (const event of events) if (event.sequence <= upTo) foldInto(draft, event);
	}
	return draft.trace;
};

/**
 * A log, or a trace in it, that ends before one of its checkpoints was wiped, truncated or replaced
 * (docs/reliability.md §5). Any state built on it would be wrong.
 */
const expectCovered = (last: number, sequence: number): void => {
	if (sequence <= last) return;
	throw new HiveError('log_replaced', {
		message: `The event log no longer has event ${sequence}, up to which a checkpoint of it was made.`,
	});
};

type Start = {
	readonly position: number;
	/** Traces whose checkpoints are behind, and by how many events; Infinity if the count is unknown. */
	readonly changed: Map<string, number>;
};

const createLedger = (bus: Bus, traces: Map<string, Trace>, start: Start): Ledger => {
	const {changed} = start;
	let {position} = start;
	const shown = new Map([...traces].filter(([, trace]) => isShown(trace)));
	let noted = position;
	/** Revisions of the checkpoints that this process wrote. */
	const revisions = new Map<string, number>();
	const put = (trace: Trace, events = Number.POSITIVE_INFINITY): void => {
		traces.set(trace.traceId, trace);
		if (isShown(trace)) shown.set(trace.traceId, trace);
		else shown.delete(trace.traceId);
		changed.set(trace.traceId, (changed.get(trace.traceId) ?? 0) + events);
	};
	const snapshot = (traceId: string): Trace => traces.get(traceId) ?? emptyTrace(traceId);
	return {
		snapshot,
		folded: traceId => traces.get(traceId),
		traces: () => shown,
		position: () => position,
		apply: events => {
			const applied = new Map<string, Applied>();
			for (const [traceId, own] of byTrace(events)) {
				// A bad id has no trace.
				if (!isName(traceId)) continue;
				const result = applyEvents(snapshot(traceId), own);
				put(result.trace, own.length);
				applied.set(traceId, result);
			}
			position = Math.max(position, events.at(-1)?.sequence ?? 0);
			return applied;
		},
		load: async traceIds => {
			for (const traceId of traceIds) {
				if (traces.has(traceId)) continue;
				const trace = await loadTrace(bus, traceId, position);
				if (trace.sequence > 0) put(trace);
			}
		},
		forget: traceId => {
			if (changed.has(traceId)) return false;
			shown.delete(traceId);
			traces.delete(traceId);
			revisions.delete(traceId);
			return true;
		},
		checkpoint: async (isLive, policy) => {
			const folded = position;
			const isWorthwhile = (events: number, size: number) =>
				policy === undefined || events * policy.eventWeight >= size;
			for (const [traceId, events] of changed) {
				const trace = snapshot(traceId);
				if (policy?.isOwn(trace) === false) continue;
				if (!isWorthwhile(events, trace.tasks.size + trace.runs.size)) continue;
				const revision = await writeCheckpoint(bus, trace, revisions.get(traceId));
				// Another call wrote it meanwhile, and the trace was unloaded.
				if (!traces.has(traceId)) continue;
				revisions.set(traceId, revision);
				const behind = snapshot(traceId) === trace ? 0 : (changed.get(traceId) ?? 0) - events;
				if (behind === 0) changed.delete(traceId);
				// An unknown count stays unknown (Infinity).
				else changed.set(traceId, Number.isFinite(behind) ? behind : Number.POSITIVE_INFINITY);
			}
			if (isLive === undefined || folded === 0 || !isWorthwhile(folded - noted, shown.size)) return;
			const live = [...shown.values()].filter(isLive).map(({traceId}) => traceId);
			await writeLive(bus, {sequence: folded, live});
			noted = folded;
		},
	};
};

const byTrace = (events: readonly StoredEvent[]): Map<string, StoredEvent[]> => {
	const groups = new Map<string, StoredEvent[]>();
	for (const event of events) {
		const group = groups.get(event.traceId);
		if (group === undefined) groups.set(event.traceId, [event]);
		else group.push(event);
	}
	return groups;
};
