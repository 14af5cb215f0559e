import type {Trace} from '../domain/trace.ts';
import type {Bucket, Bus} from '../ports/bus.ts';
import {decodeTrace, encodeTrace, foldVersion, isOfNewerFold, sequenceIn} from './checkpoint.ts';

/** Where checkpoints are, one of each trace, and the note of those that a start must look at. */
const checkpoints = 'ledger';
const notes = 'ledger-live';
const liveKey = 'live';

/** The trace's checkpoint; nothing when there is none, or it is torn. */
export const readCheckpoint = async (bus: Bus, traceId: string): Promise<Trace | undefined> => {
	const entry = await bus.bucket(checkpoints).get(traceId);
	return entry && decodeTrace(entry.value);
};

/** Those that can be read. */
export const loadCheckpoints = async (bus: Bus): Promise<Map<string, Trace>> => {
	const entries = await bus.bucket(checkpoints).entries();
	const traces = entries.map(({value}) => decodeTrace(value)).filter(trace => trace !== undefined);
	return new Map(traces.map(trace => [trace.traceId, trace]));
};

/** The traces that may have something pending in the log up to a sequence. */
export type Live = {readonly sequence: number; readonly live: readonly string[]};

/**
 * Nothing when nobody noted it, the note is torn, or it is of another fold, whose checkpoints are to be made
 * anew.
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
 * Answers with the revision that it has then.
 *
 * @param known the revision that it has, as far as the caller knows: one that is large is not read again then
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
 * Exchanges the checkpoint of a purged trace, which holds what is to be gone, for one of what stays. May be
 * repeated.
 */
export const replaceCheckpoint = async (bus: Bus, trace: Trace): Promise<void> => {
	const bucket = bus.bucket(checkpoints);
	const present = await bucket.get(trace.traceId);
	if (present !== undefined && decodeTrace(present.value)?.purged === undefined)
		await bucket.delete(trace.traceId, present.revision);
	await writeCheckpoint(bus, trace);
};

/** Of the same sequence too: what was looked at since is live no more. */
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
 * Compare-and-set that only goes forward, and goes on until the value is there or a newer one
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
