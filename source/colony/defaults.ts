/**
 * Defaults for settings that neither `.hive/colony.yaml` nor a bee has (docs/rules.md §3, §9, §10). They are
 * defined only here. The file of a fresh colony shows the first two.
 */
export const defaults = {
	/** Honey of a new trace, in whole units. */
	energyBudget: 12,
	/** Role of the bee for a task that names none. */
	defaultBee: 'builder',
	/** Max open runs in a checkout. */
	maxParallelRuns: 4,
	/** Max time for all commands of a verification together, in milliseconds. */
	verifyTimeout: 10 * 60_000,
	/** How long a successful check counts for the same tree. */
	verifyReuse: 24 * 60 * 60_000,
	/** Landings that are checked at a time. */
	verifyParallel: 2,
	/** Max size of a session's recording, in bytes. */
	sessionRecording: 16 * 1024 * 1024,
	/** Age in milliseconds after which `hive prune` removes merged or saved work. */
	keep: 30 * 24 * 60 * 60_000,
	/** Policy for a task whose run changed nothing. */
	onNoChange: 'complete',
} as const;
