import type {Trace} from '../domain/trace.ts';
import type {Bucket, Bus} from '../ports/bus.ts';
import {decodeTrace, encodeTrace, foldVersion, isOfNewerFold, sequenceIn} from './checkpoint.ts';

/** Buckets of the checkpoints, one for each trace, and of the note of the traces that a start must load. */
const checkpoints = 'ledger';
const notes = 'ledger-live';
const liveKey = 'live';

/** Returns the trace's checkpoint, or `undefined` if there is none or it is torn. */
export const readCheckpoint = async (bus: Bus, traceId: string): Promise<Trace | undefined> => {
	const entry = await bus.bucket(checkpoints).get(traceId);
	return entry && decodeTrace(entry.value);
};

/** Returns the readable checkpoints by trace. */
export const loadCheckpoints = async (bus: Bus): Promise<Map<string, Trace>> => {
	const entries = await bus.bucket(checkpoints).entries();
	const traces = entries.map(({value}) => decodeTrace(value)).filter(trace => trace !== undefined);
	return new Map(traces.map(trace => [trace.traceId, trace]));
};

/** The traces that may have pending work in the log up to a sequence. */
export type Live = {readonly sequence: number; readonly live: readonly string[]};

/**
 * Returns `undefined` if there is no note, if it is torn, or if it is of another fold version. In the last
 * case the checkpoints have to be made anew.
 */
export const readLive = async (bus: Bus): Promise<Live | undefined> => {
	const entry = await bus.bucket(notes).get(liveKey);
	return decodeLive(entry?.value ?? '');
};

const decodeLive = (text: string): Live | undefined => {
	try {
		const {version, sequence, live} = JSON.parse(text);
		const isList = Array.isArray(live) && live.every(traceId => typeof traceId === 'string');
		const isWhole = isList && Number.isSafeInteger(sequence) && sequence > 0;
		return isWhole && version === foldVersion ? {sequence, live} : undefined;
	} catch {
		return undefined;
	}
};

/**
 * Writes the checkpoint unless a newer one is stored. Returns the resulting revision.
 *
 * @param known the current revision, as far as the caller knows. With it a large checkpoint need not be read
 * again.
 */
export const writeCheckpoint = (bus: Bus, trace: Trace, known?: number): Promise<number> =>
	forward(
		bus.bucket(checkpoints),
		trace.traceId,
		encodeTrace(trace),
		text => !isOfNewerFold(text) && sequenceIn(text) < trace.sequence,
		known,
	);

/**
 * Replaces the checkpoint of a purged trace, which still holds purged data, by one of what remains.
 * Idempotent.
 */
export const replaceCheckpoint = async (bus: Bus, trace: Trace): Promise<void> => {
	const bucket = bus.bucket(checkpoints);
	const present = await bucket.get(trace.traceId);
	if (present !== undefined && decodeTrace(present.value)?.purged === undefined)
		await bucket.delete(trace.traceId, present.revision);
	await writeCheckpoint(bus, trace);
};

/** Also replaces a note of the same sequence: a trace that was considered since is no longer live. */
export const writeLive = (bus: Bus, note: Live): Promise<number> => {
	const noted = JSON.stringify({version: foldVersion, ...note});
	return forward(
		bus.bucket(notes),
		liveKey,
		noted,
		text => text !== noted && (decodeLive(text)?.sequence ?? 0) <= note.sequence,
	);
};

/**
 * Compare-and-set that only moves forward. It retries until this value or a newer one is stored
 * (docs/architecture.md §2).
 */
const forward = async (
	bucket: Bucket,
	key: string,
	value: string,
	isOlder: (present: string) => boolean,
	known?: number,
): Promise<number> => {
	const forwarded = known === undefined ? undefined : await bucket.update(key, value, known);
	if (forwarded !== undefined) return forwarded;
	for (;;) {
		const present = await bucket.get(key);
		if (present !== undefined && !isOlder(present.value)) return present.revision;
		const written = present
			? await bucket.update(key, value, present.revision)
			: await bucket.create(key, value);
		if (written !== undefined) return written;
	}
};
