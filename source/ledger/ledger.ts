import {HiveError} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {emptyTrace, isShown, type Trace} from '../domain/trace.ts';
import type {Bus} from '../ports/bus.ts';
import {loadCheckpoints, readCheckpoint, readLive, writeCheckpoint, writeLive} from './checkpoint-store.ts';
import {Draft} from './draft.ts';
import {type Applied, applyEvents, foldInto} from './reduce.ts';

/** The folded state of a colony's log up to `position()`. */
export type Ledger = {
	/** The trace's snapshot; an empty one when nothing was said of it. */
	readonly snapshot: (traceId: string) => Trace;
	/** Those that people are shown: none that was purged. */
	readonly traces: () => ReadonlyMap<string, Trace>;
	/** The last sequence folded. */
	readonly position: () => number;
	/** Folds events of any traces, in order; what each trace became. */
	readonly apply: (events: readonly StoredEvent[]) => ReadonlyMap<string, Applied>;
	/** Folds these traces up to `position()`, where `openLiveLedger` left them out; before they are asked for or applied to. */
	readonly load: (traceIds: Iterable<string>) => Promise<void>;
	/**
	 * Writes the checkpoints of traces that changed since the last call.
	 *
	 * @param isLive what `openLiveLedger` is to fold at the next start; not noted when absent
	 */
	readonly checkpoint: (isLive?: (trace: Trace) => boolean) => Promise<void>;
};

/**
 * The checkpoint of each trace and what the log has behind it: a trace whose checkpoint is lost, torn or old is folded from
 * there. Throws `log_replaced` when one is ahead of the log.
 */
export const openLedger = async (bus: Bus): Promise<Ledger> => {
	const traces = await loadCheckpoints(bus);
	const heads = await bus.heads();
	for (const {traceId, sequence} of traces.values()) expectCovered(heads.get(traceId) ?? 0, sequence);
	const position = newestOf(heads);
	const changed = new Set<string>();
	for (const [traceId, head] of heads) {
		const known = traces.get(traceId) ?? emptyTrace(traceId);
		if (known.sequence >= head) continue;
		traces.set(traceId, await foldTail(bus, known, position));
		changed.add(traceId);
	}
	return createLedger(bus, traces, {position, changed});
};

const newestOf = (heads: ReadonlyMap<string, number>): number =>
	[...heads.values()].reduce((newest, head) => Math.max(newest, head), 0);

/**
 * As `openLedger`, without the traces that were finished when the checkpoints were written: those are loaded when something is
 * said of them. Everything is folded where nobody noted which traces are live.
 */
export const openLiveLedger = async (bus: Bus): Promise<Ledger> => {
	const noted = await readLive(bus);
	if (noted === undefined) return openLedger(bus);
	const {sequence, live} = noted;
	expectCovered(await bus.last(), sequence);
	const ledger = createLedger(bus, new Map(), {position: sequence, changed: new Set()});
	await ledger.load(live);
	for await (const events of bus.read({after: sequence})) {
		await ledger.load(events.map(({traceId}) => traceId));
		ledger.apply(events);
	}
	return ledger;
};

/** One trace alone: its checkpoint and what came after it, up to a sequence. Throws `log_replaced` when it ends before that. */
export const loadTrace = async (bus: Bus, traceId: string, upTo?: number): Promise<Trace> => {
	const known = (await readCheckpoint(bus, traceId)) ?? emptyTrace(traceId);
	if (known.sequence > 0) expectCovered(await bus.last(traceId), known.sequence);
	return foldTail(bus, known, upTo);
};

const foldTail = async (bus: Bus, known: Trace, upTo = Number.POSITIVE_INFINITY): Promise<Trace> => {
	const draft = new Draft(known);
	for await (const events of bus.read({traceId: known.traceId, after: known.sequence})) {
		for (const event of events) if (event.sequence <= upTo) foldInto(draft, event);
	}
	return draft.trace;
};

/**
 * A log, or a trace of it, that ends before a checkpoint of it was wiped, cut off or exchanged (docs/reliability.md §5): nothing is
 * right that goes on from there.
 */
const expectCovered = (last: number, sequence: number): void => {
	if (sequence <= last) return;
	throw new HiveError('log_replaced', {
		message: `The event log no longer has event ${sequence}, up to which a checkpoint of it was made.`,
	});
};

type Start = {readonly position: number; readonly changed: Set<string>};

const createLedger = (bus: Bus, traces: Map<string, Trace>, start: Start): Ledger => {
	const {changed} = start;
	let {position} = start;
	const shown = new Map([...traces].filter(([, trace]) => isShown(trace)));
	const put = (trace: Trace): void => {
		traces.set(trace.traceId, trace);
		if (isShown(trace)) shown.set(trace.traceId, trace);
		else shown.delete(trace.traceId);
		changed.add(trace.traceId);
	};
	const snapshot = (traceId: string): Trace => traces.get(traceId) ?? emptyTrace(traceId);
	return {
		snapshot,
		traces: () => shown,
		position: () => position,
		apply: events => {
			const applied = new Map<string, Applied>();
			for (const [traceId, own] of byTrace(events)) {
				const result = applyEvents(snapshot(traceId), own);
				put(result.trace);
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
		checkpoint: async isLive => {
			const folded = position;
			if (changed.size === 0) return;
			for (const traceId of changed) {
				const trace = snapshot(traceId);
				await writeCheckpoint(bus, trace);
				if (snapshot(traceId) === trace) changed.delete(traceId);
			}
			if (isLive === undefined) return;
			const live = [...shown.values()].filter(isLive).map(({traceId}) => traceId);
			await writeLive(bus, {sequence: folded, live});
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
