import type {Bus} from './bus.ts';

/** Where the events of one checkout are kept. */
export type EventStore = {
	/** What people find it under. */
	readonly location: string;
	readonly probe: () => Promise<StoreProbe>;
	/** Whoever opens it closes it. Throws `bus_unreachable`. */
	readonly open: () => Promise<Bus>;
};

/** What an event store is like, read without changing it. */
export type StoreProbe =
	/** Not made yet, and it could be. */
	| {readonly state: 'absent'}
	/** Opens and takes writes. */
	| {readonly state: 'sound'}
	/** A newer hive wrote it: it is only read (docs/architecture.md §3). */
	| {readonly state: 'newer'}
	| {readonly state: 'broken'; readonly reason: string};
