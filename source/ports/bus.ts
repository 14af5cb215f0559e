import type {NewEvent, StoredEvent} from '../domain/event.ts';
import type {PlaceChannel} from './place-channel.ts';

export type AppendOptions = {
	/** Stable id of this append: the same id twice appends once. */
	readonly id: string;
	/**
	 * The trace's last sequence that the decision saw (0: none). Refused as a conflict when the trace has
	 * moved.
	 */
	readonly after?: number;
};

export type Appended =
	/** `duplicate`: the id was in the log already; `sequence` is where. */
	| {readonly ok: true; readonly sequence: number; readonly duplicate: boolean}
	/** `last` is the trace's newest sequence. */
	| {readonly ok: false; readonly last: number};

/** An event on its way into the log, with the stable id of this append. */
export type IdentifiedEvent = {readonly id: string; readonly event: NewEvent};

type ReadOptions = {
	/** Only this trace. */
	readonly traceId?: string;
	/** Events with a greater sequence; 0 for all. */
	readonly after: number;
};

/** One value of a bucket with its revision, which rises with every change of the key. */
export type Entry = {readonly key: string; readonly value: string; readonly revision: number};

/**
 * Small revisioned key-value store. Every write is compare-and-set; `undefined` is the answer when the set
 * lost.
 */
export type Bucket = {
	readonly get: (key: string) => Promise<Entry | undefined>;
	readonly entries: () => Promise<Entry[]>;
	/** The revision, or nothing when the key exists. */
	readonly create: (key: string, value: string) => Promise<number | undefined>;
	/** The new revision, or nothing when the key is not at `revision`. */
	readonly update: (key: string, value: string, revision: number) => Promise<number | undefined>;
	/** True when the key was there at `revision` and is gone. */
	readonly delete: (key: string, revision: number) => Promise<boolean>;
	/** The present entries, then each change as it happens (`value` absent: deleted), until the signal. */
	readonly watch: (signal: AbortSignal) => AsyncIterable<{key: string; entry: Entry | undefined}>;
};

/**
 * The durable, ordered event log of a colony and the small stores beside it (docs/architecture.md §2).
 * Every method throws `HiveError('bus_unreachable')` when the store cannot be reached.
 */
export type Bus = {
	/**
	 * Where the log is, as people are shown it: `embedded` in a file of this machine, else the address of a
	 * server.
	 */
	readonly address: string;
	/** Processes of other machines may have it open too. */
	readonly isShared: boolean;
	/** How places ask each other, where the log is shared. */
	readonly places?: PlaceChannel;
	/**
	 * Calls when the store is lost and when it is back, until the signal. A store of this machine is neither.
	 */
	readonly watchConnection: (signal: AbortSignal, call: (isThere: boolean) => void) => void;
	/** Returns after the event is durable. Throws `event_too_large` past 256 KiB, and `invalid_id`. */
	readonly append: (event: NewEvent, options: AppendOptions) => Promise<Appended>;
	/**
	 * Several events of one trace, one behind the other: in one commit where the store has such, so that all of
	 * them are in the log or none. Each id appends once, and who repeats a call that was cut goes on where it
	 * ended. The answer is that of the last.
	 *
	 * @param after as in `append`, for the first of them; the others follow only if nobody else speaks in
	 * between
	 */
	readonly appendAll: (events: readonly IdentifiedEvent[], after?: number) => Promise<Appended>;
	/** What the log holds now, in order, in batches. */
	readonly read: (options: ReadOptions) => AsyncIterable<readonly StoredEvent[]>;
	/**
	 * What the log holds, then what is appended, in order and without gaps, in batches, until the signal. A
	 * connection that is lost is waited for.
	 */
	readonly follow: (options: ReadOptions & {signal: AbortSignal}) => AsyncIterable<readonly StoredEvent[]>;
	/** The newest sequence of the log, or of one trace; 0 when nothing is there. */
	readonly last: (traceId?: string) => Promise<number>;
	/** The newest sequence of each trace that has events. */
	readonly heads: () => Promise<ReadonlyMap<string, number>>;
	/**
	 * Removes the trace's events before a sequence, for good. Nothing else moves: later events keep their
	 * sequences, and who reads or follows goes on behind the gap. An id that is gone with its event is not
	 * known any more. May be repeated.
	 *
	 * @param before at most the trace's newest sequence
	 */
	readonly forget: (traceId: string, before: number) => Promise<void>;
	readonly bucket: (name: string) => Bucket;
	readonly blobs: {
		/** Keeps the text and returns its SHA-256 in hex. */
		readonly put: (text: string) => Promise<string>;
		readonly get: (hash: string) => Promise<string | undefined>;
		/** Removes the text for good, when it is there. */
		readonly remove: (hash: string) => Promise<void>;
	};
	/** Finishes what is under way and lets go of the store. */
	readonly close: () => Promise<void>;
};

/**
 * A bus that takes known secrets out of what is appended and kept through it. What agents and people wrote is
 * published through one of these only.
 */
export type RedactedBus = Bus & {readonly redacts: true};
