import {isDeepStrictEqual} from 'node:util';
import {emptyTrace, type Trace} from '../../domain/trace.ts';
import {encodeTrace, foldVersion} from '../../ledger/checkpoint.ts';
import {Draft} from '../../ledger/draft.ts';
import {foldInto} from '../../ledger/reduce.ts';
import type {Bus} from '../../ports/bus.ts';

/** A flaw of a trace's checkpoint. */
export type CheckpointFlaw = {
	readonly traceId: string;
	/**
	 * `torn`: it cannot be read. `ahead`: it is ahead of the log. `other`: its events fold into a different
	 * trace.
	 */
	readonly how: 'torn' | 'ahead' | 'other';
	/** Sequence up to which it was folded. */
	readonly sequence: number;
};

/** Compares checkpoints with the fold of their traces, while their events are read. */
export type CheckpointCheck = {
	/** Number of checkpoints of this fold version. */
	readonly count: number;
	/** Call with the trace as it is before the event with this sequence. */
	readonly checkTrace: (trace: Trace, sequence: number) => void;
	/** Call when all events have been read. */
	readonly flaws: (traces: ReadonlyMap<string, Trace>) => Promise<readonly CheckpointFlaw[]>;
};

type ReadableBus = Pick<Bus, 'bucket' | 'read' | 'last'>;

/** As in `ledger/checkpoint-store.ts`. */
const checkpoints = 'ledger';

export const createCheckpointCheck = async (bus: ReadableBus): Promise<CheckpointCheck> => {
	const left = new Map<string, Stored>();
	const suspects = new Set<string>();
	for (const {key, value} of await bus.bucket(checkpoints).entries()) {
		const stored = storedIn(value);
		if (stored === 'torn') suspects.add(key);
		else if (stored !== undefined) left.set(key, stored);
	}
	const count = left.size + suspects.size;
	const settle = (trace: Trace, stored: Stored): void => {
		left.delete(trace.traceId);
		if (!isOf(stored, trace)) suspects.add(trace.traceId);
	};
	return {
		count,
		checkTrace: (trace, sequence) => {
			const stored = left.get(trace.traceId);
			if (stored !== undefined && stored.sequence < sequence) settle(trace, stored);
		},
		flaws: async traces => {
			for (const [traceId, stored] of [...left]) settle(traces.get(traceId) ?? emptyTrace(traceId), stored);
			const flaws: CheckpointFlaw[] = [];
			for (const traceId of suspects) {
				const flaw = await checkAgain(bus, traceId);
				if (flaw !== undefined) flaws.push(flaw);
			}
			return flaws;
		},
	};
};

type Stored = {readonly sequence: number; readonly [field: string]: unknown};

/** Undefined for a checkpoint of another fold version, which is ignored. */
const storedIn = (text: string): Stored | 'torn' | undefined => {
	try {
		const stored = JSON.parse(text);
		if (!Number.isSafeInteger(stored?.version)) return 'torn';
		if (stored.version !== foldVersion) return undefined;
		return Number.isSafeInteger(stored.sequence) ? stored : 'torn';
	} catch {
		return 'torn';
	}
};

/** The events of a purged trace are gone, so a checkpoint from before the purge cannot be compared. */
const isOf = (stored: Stored, trace: Trace): boolean =>
	trace.purged === undefined
		? isDeepStrictEqual(stored, JSON.parse(encodeTrace(trace)))
		: stored.purged === undefined || stored.purged === trace.purged;

/** Checks one checkpoint with the current log, since a reactor may have written it meanwhile. */
const checkAgain = async (bus: ReadableBus, traceId: string): Promise<CheckpointFlaw | undefined> => {
	const entry = await bus.bucket(checkpoints).get(traceId);
	const stored = storedIn(entry?.value ?? `{"version":0}`);
	if (stored === undefined) return undefined;
	if (stored === 'torn') return {traceId, how: 'torn', sequence: 0};
	const {sequence} = stored;
	if (sequence > (await bus.last(traceId))) return {traceId, how: 'ahead', sequence};
	const draft = new Draft(emptyTrace(traceId));
	for await (const events of bus.read({traceId, after: 0}))
		for (const event of events)
			if (event.sequence <= sequence || event.payload.kind === 'trace.purged') foldInto(draft, event);
	return isOf(stored, draft.trace) ? undefined : {traceId, how: 'other', sequence};
};
