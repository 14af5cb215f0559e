import type {NewEvent, StoredEvent} from '../domain/event.ts';
import type {BusAccess} from './bus-access.ts';
import type {MachineChannel} from './machine-channel.ts';

export type AppendOptions = {
	/** Stable id of this append. It is idempotent: the same id twice appends once. */
	readonly id: string;
	/**
	 * Precondition: the trace's last sequence that the decision was made on (0: none). The append is refused as
	 * a conflict if the trace has moved.
	 */
	readonly after?: number;
};

export type Appended =
	/** `duplicate`: the log already had this id, at `sequence`. */
	| {readonly ok: true; readonly sequence: number; readonly duplicate: boolean}
	/** `last` is the trace's newest sequence. */
	| {readonly ok: false; readonly last: number};

/** An event to append, with the stable id of its append. */
export type IdentifiedEvent = {readonly id: string; readonly event: NewEvent};

type ReadOptions = {
	/** Only this trace. */
	readonly traceId?: string;
	/** Events with a greater sequence; 0 for all. */
	readonly after: number;
};

/** One value of a bucket. Its revision rises with every change of the key. */
export type Entry = {readonly key: string; readonly value: string; readonly revision: number};

/** An entry, with the milliseconds since its write by the store's own clock; absent if it keeps no times. */
export type AgedEntry = Entry & {readonly age?: number};

/**
 * Small key-value store with revisions. Every write is a compare-and-set and returns `undefined` if the
 * precondition failed.
 */
export type Bucket = {
	readonly get: (key: string) => Promise<Entry | undefined>;
	readonly entries: () => Promise<AgedEntry[]>;
	/** Returns the revision, or `undefined` if the key exists. */
	readonly create: (key: string, value: string) => Promise<number | undefined>;
	/** Returns the new revision, or `undefined` if the key is not at `revision`. */
	readonly update: (key: string, value: string, revision: number) => Promise<number | undefined>;
	/** Returns true if the key was at `revision` and is now deleted. */
	readonly delete: (key: string, revision: number) => Promise<boolean>;
	/**
	 * Yields the current entries, then each change as it happens (`entry` absent: deleted), until the signal.
	 */
	readonly watch: (signal: AbortSignal) => AsyncIterable<{key: string; entry: Entry | undefined}>;
};

/**
 * The durable, ordered event log of a colony and the small stores beside it (docs/architecture.md §2).
 * Every method throws `HiveError('bus_unreachable')` when the store cannot be reached.
 */
export type Bus = {
	/**
	 * Where the log is, in the form to show to people: `embedded` for a file of this machine, else the address
	 * of a server.
	 */
	readonly address: string;
	/** True if processes of other machines may have it open too. */
	readonly isShared: boolean;
	/** Returns the ids of other colonies with the same name. Present only where the log is shared. */
	readonly otherColonies?: () => Promise<readonly string[]>;
	/**
	 * Uses another login for the same servers, at once if they accept it, else at the next connection. Present
	 * only where the log is shared.
	 */
	readonly changeLogin?: (access: BusAccess) => Promise<void>;
	/** How places ask each other questions. Present only where the log is shared. */
	readonly machines?: MachineChannel;
	/**
	 * Calls back when the connection to the store is lost and when it is back, until the signal. A store in a
	 * file of this machine never calls.
	 */
	readonly watchConnection: (signal: AbortSignal, call: (isThere: boolean) => void) => void;
	/** Returns after the event is durable. Throws `event_too_large` past 256 KiB, and `invalid_id`. */
	readonly append: (event: NewEvent, options: AppendOptions) => Promise<Appended>;
	/**
	 * Appends several events of one trace in order. Where the store supports it this is one commit, so either
	 * all of them are in the log or none. Each id appends once, so a call that was interrupted can be repeated
	 * and continues where it stopped. Returns the result of the last append.
	 *
	 * @param after the precondition of `append`, for the first event. The others are refused if another writer
	 * appends to the trace in between.
	 */
	readonly appendAll: (events: readonly IdentifiedEvent[], after?: number) => Promise<Appended>;
	/** Yields the events that the log holds now, in order, in batches. */
	readonly read: (options: ReadOptions) => AsyncIterable<readonly StoredEvent[]>;
	/**
	 * Yields the events of the log and then each one that is appended, in order and without gaps, in batches,
	 * until the signal. If the connection is lost it waits for it.
	 */
	readonly follow: (options: ReadOptions & {signal: AbortSignal}) => AsyncIterable<readonly StoredEvent[]>;
	/** The newest sequence of the log, or of one trace; 0 if there are no events. */
	readonly last: (traceId?: string) => Promise<number>;
	/** The newest sequence of each trace that has events. */
	readonly heads: () => Promise<ReadonlyMap<string, number>>;
	/**
	 * Permanently removes the trace's events before a sequence. Later events keep their sequences. Readers and
	 * followers go on after the gap. The id of a removed event is forgotten, so it no longer counts as a
	 * duplicate. Idempotent.
	 *
	 * @param before at most the trace's newest sequence
	 */
	readonly forget: (traceId: string, before: number) => Promise<void>;
	readonly bucket: (name: string) => Bucket;
	readonly blobs: {
		/** Stores the text and returns its SHA-256 in hex. */
		readonly put: (text: string) => Promise<string>;
		readonly get: (hash: string) => Promise<string | undefined>;
		/** Permanently removes the text, if it exists. */
		readonly remove: (hash: string) => Promise<void>;
	};
	/** Finishes pending operations and closes the store. */
	readonly close: () => Promise<void>;
};

/**
 * A bus that redacts known secrets from everything that is appended or stored through it. Text from agents
 * and people is published only through such a bus.
 */
export type RedactedBus = Bus & {readonly redacts: true};
