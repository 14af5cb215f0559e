import type {Bus} from './bus.ts';
import type {RawLog} from './raw-log.ts';

/** Where the events of one checkout are kept. */
export type EventStore = {
	/** Where it is, in the form to show to people. */
	readonly location: string;
	readonly probe: () => Promise<StoreProbe>;
	/**
	 * The caller closes the bus. Throws `bus_unreachable`. Throws `log_moved` if the log is closed, and
	 * `log_half_copied` if it is an incomplete copy.
	 *
	 * @param mustExist The log existed before. A server that lacks it does not create another one;
	 * `log_replaced` is thrown.
	 */
	readonly open: (options?: {readonly mustExist?: boolean}) => Promise<Bus>;
	/**
	 * Opens the log for moving or examining it, whatever its mark says. The caller closes it. Throws
	 * `bus_unreachable`.
	 */
	readonly openRaw: () => Promise<RawLog>;
};

/** The state of an event store, read without changing it. */
export type StoreProbe =
	/** It does not exist yet and can be created. */
	| {readonly state: 'absent'; readonly server?: ServerReport}
	/** It opens and takes writes. */
	| {readonly state: 'sound'; readonly server?: ServerReport}
	/** A newer hive wrote it, so this one only reads it (docs/architecture.md §3). */
	| {readonly state: 'newer'}
	| {readonly state: 'broken'; readonly reason: string}
	/** It is on a server that cannot be reached or cannot hold it. */
	| {readonly state: 'away'; readonly message: string; readonly hint: string};

/** A server that stores colonies, and the data that it has of this one. */
export type ServerReport = {
	readonly version: string;
	/** Ids of other colonies there that have the same name. */
	readonly otherColonies: readonly string[];
	/** Absent while the server has no log of this colony. */
	readonly log:
		| {
				readonly stream: string;
				readonly events: number;
				readonly bytes: number;
				/** The newest sequence. */
				readonly last: number;
				/** Number of servers that have a copy. */
				readonly replicas: number;
				/** Number of clients that read it now. */
				readonly consumers: number;
				/** How far the server's clock is ahead of this machine's, in milliseconds. */
				readonly clockSkew: number;
		  }
		| undefined;
	readonly buckets: readonly {readonly name: string; readonly entries: number; readonly bytes: number}[];
};
