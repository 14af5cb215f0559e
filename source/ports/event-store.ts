import type {Bus} from './bus.ts';
import type {RawLog} from './raw-log.ts';

/** Where the events of one checkout are kept. */
export type EventStore = {
	/** What people find it under. */
	readonly location: string;
	readonly probe: () => Promise<StoreProbe>;
	/**
	 * Whoever opens it closes it. Throws `bus_unreachable`, and of a log that is closed or half a copy
	 * `log_moved` and `log_half_copied`.
	 *
	 * @param mustExist The log was here before: a server that lacks it makes none in its place, and
	 * `log_replaced` is thrown.
	 */
	readonly open: (options?: {readonly mustExist?: boolean}) => Promise<Bus>;
	/**
	 * For whoever moves or examines the log, whatever its mark says; whoever opens it closes it. Throws
	 * `bus_unreachable`.
	 */
	readonly openRaw: () => Promise<RawLog>;
};

/** What an event store is like, read without changing it. */
export type StoreProbe =
	/** Not made yet, and it could be. */
	| {readonly state: 'absent'; readonly server?: ServerReport}
	/** Opens and takes writes. */
	| {readonly state: 'sound'; readonly server?: ServerReport}
	/** A newer hive wrote it: it is only read (docs/architecture.md §3). */
	| {readonly state: 'newer'}
	| {readonly state: 'broken'; readonly reason: string}
	/** On a server that cannot be reached, or cannot hold it. */
	| {readonly state: 'away'; readonly message: string; readonly hint: string};

/** A server that keeps colonies, and what it keeps of this one. */
export type ServerReport = {
	readonly version: string;
	/** Nothing while it has no log of this colony. */
	readonly log:
		| {
				readonly stream: string;
				readonly events: number;
				readonly bytes: number;
				/** The newest sequence. */
				readonly last: number;
				/** Servers that have a copy. */
				readonly replicas: number;
				/** Those who read it now. */
				readonly consumers: number;
				/** By how many milliseconds the server's clock is ahead of this machine's. */
				readonly clockSkew: number;
		  }
		| undefined;
	readonly buckets: readonly {readonly name: string; readonly entries: number; readonly bytes: number}[];
};
