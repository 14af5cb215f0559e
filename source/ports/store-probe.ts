/** What the file of the event log is like, told without changing it. */
export type StoreProbe =
	/** Not made yet, and it could be. */
	| {readonly state: 'absent'}
	/** Opens and takes writes. */
	| {readonly state: 'sound'}
	/** A newer hive wrote it: it is only read (design.md §3). */
	| {readonly state: 'newer'}
	| {readonly state: 'broken'; readonly reason: string};
