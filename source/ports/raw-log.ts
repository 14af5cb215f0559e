import type {StoredEvent} from '../domain/event.ts';
import type {LogMark} from '../domain/log-mark.ts';
import type {Bus} from './bus.ts';

/** One entry of a log as it is stored, valid or not. */
export type KeptEvent = {
	readonly sequence: number;
	/** Absent if the stored entry cannot be read. */
	readonly event: StoredEvent | undefined;
	/** The trace's previous sequence, noted at the append. Absent if an older hive wrote the entry. */
	readonly previous: number | undefined;
	/** Whether the checksum matches. `none`: an older hive or another program wrote it without one. */
	readonly sum: 'right' | 'wrong' | 'none';
};

/** A log without the rules of a bus, for moving or examining it. Every method throws `bus_unreachable`. */
export type RawLog = {
	/** The same connection, for buckets and large texts. It takes appends whatever the mark says. */
	readonly bus: Bus;
	readonly mark: () => Promise<LogMark | undefined>;
	/** The newest sequence that was ever assigned. */
	readonly last: () => Promise<number>;
	/** Yields the entries after a sequence, in order, in batches. */
	readonly kept: (after: number) => AsyncIterable<readonly KeptEvent[]>;
	/** The `keptBuckets` that exist, by the names of the port. */
	readonly buckets: () => Promise<readonly string[]>;
	/** The SHA-256 names of the large texts. */
	readonly hashes: () => Promise<readonly string[]>;
	/** The damage that the store itself finds in its data, as text. */
	readonly faults: () => Promise<readonly string[]>;
	/** How a person gets this log out of the way while it is open, as text. */
	readonly removal: string;
	/** Marks a log without events as a copy. Returns false if another writer appended meanwhile. */
	readonly begin: (mark: LogMark & {readonly state: 'copying'}) => Promise<boolean>;
	/** Marks a closed log as a copy: it then takes the events after its last one. */
	readonly resume: (mark: LogMark & {readonly state: 'copying'}) => Promise<void>;
	/** Removes events, values, large texts and the mark. If interrupted, the mark stays. */
	readonly clear: () => Promise<void>;
	/**
	 * Writes events after the last one, each under its own sequence. Throws `log_damaged` if another writer
	 * writes too.
	 */
	readonly put: (events: readonly KeptEvent[]) => Promise<void>;
	/** Removes single events that were meanwhile removed from the source. */
	readonly drop: (sequences: readonly number[]) => Promise<void>;
	/** Makes the next event come after this sequence, whatever was removed before it. */
	readonly endAt: (last: number) => Promise<void>;
	/**
	 * `shut` closes the log for all processes, including those that have it open. `open` opens it again without
	 * a mark.
	 */
	readonly shut: (mark: LogMark & {readonly state: 'moved'}) => Promise<void>;
	readonly open: () => Promise<void>;
	readonly close: () => Promise<void>;
};

/**
 * Buckets that belong to a log, by the names that their writers use. `places` is not one of them: it only
 * records who is alive.
 */
export const keptBuckets = ['ledger', 'ledger-live', 'reactor', 'launched', 'forgotten', 'replicas'] as const;
