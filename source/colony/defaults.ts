/**
 * What holds where neither `.hive/colony.yaml` nor a bee says otherwise (docs/rules.md §3, §9, §10). A
 * default is written here alone; the file of a fresh colony shows the first two.
 */
export const defaults = {
	/** Honey of a new trace, in whole units. */
	energyBudget: 12,
	/** Role of the bee of a task that names none. */
	defaultBee: 'builder',
	/** Runs that may be open at a time in a checkout. */
	maxParallelRuns: 4,
	/** Time for all commands of a verification together, in milliseconds. */
	verifyTimeout: 10 * 60_000,
	/** Longest recording of a session, in bytes. */
	sessionRecording: 16 * 1024 * 1024,
	/** Age from which `hive prune` removes what is merged or saved, in milliseconds. */
	keep: 30 * 24 * 60 * 60_000,
	/** What becomes of a task whose run changed nothing. */
	onNoChange: 'complete',
} as const;
