import type {StoredEvent} from '../domain/event.ts';
import type {LogMark} from '../domain/log-mark.ts';
import type {Bus} from './bus.ts';

/** One place of a log as it is kept, right or not. */
export type KeptEvent = {
	readonly sequence: number;
	/** Nothing where what is kept there cannot be read. */
	readonly event: StoredEvent | undefined;
	/** The trace's sequence before it, as it was noted at the append; nothing where an older hive wrote it. */
	readonly previous: number | undefined;
	/** Whether it is what was written: `none` where an older hive, or somebody else, wrote it. */
	readonly sum: 'right' | 'wrong' | 'none';
};

/**
 * A log without the rules of a bus, for whoever moves or examines it. Every method throws `bus_unreachable`.
 */
export type RawLog = {
	/** The same hold, for buckets and large texts. It takes appends whatever the mark says. */
	readonly bus: Bus;
	readonly mark: () => Promise<LogMark | undefined>;
	/** The newest sequence that was ever given. */
	readonly last: () => Promise<number>;
	/** What is there after a sequence, in order, in batches. */
	readonly kept: (after: number) => AsyncIterable<readonly KeptEvent[]>;
	/** What there is of the buckets that a log keeps, by the names of the port. */
	readonly buckets: () => Promise<readonly string[]>;
	/** Names of the large texts. */
	readonly hashes: () => Promise<readonly string[]>;
	/** What the store itself finds wrong with what it keeps, in words. */
	readonly faults: () => Promise<readonly string[]>;
	/** How a person removes what is there, in words. */
	readonly removal: () => Promise<string>;
	/** Marks a log without events as a copy; false when somebody wrote to it meanwhile. */
	readonly begin: (mark: LogMark & {readonly state: 'copying'}) => Promise<boolean>;
	/**
	 * Writes events behind the last, each under the sequence that it has. Throws `log_damaged` when somebody
	 * else writes too.
	 */
	readonly put: (events: readonly KeptEvent[]) => Promise<void>;
	/** Removes single events that the source forgot meanwhile. */
	readonly drop: (sequences: readonly number[]) => Promise<void>;
	/** The next event comes after this sequence, whatever was forgotten before it. */
	readonly endAt: (last: number) => Promise<void>;
	/** Closes it for everybody, those who have it open too; and opens it again without a mark. */
	readonly shut: (mark: LogMark & {readonly state: 'moved'}) => Promise<void>;
	readonly open: () => Promise<void>;
	readonly close: () => Promise<void>;
};

/**
 * Buckets that a log keeps, by the names that whoever writes them gives; but for `places`, which say who is
 * alive.
 */
export const keptBuckets = ['ledger', 'ledger-live', 'reactor', 'launched', 'forgotten', 'replicas'] as const;
