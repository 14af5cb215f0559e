/** The feedback of `event emit`, with its exit code. */
export type Emitted = {readonly exit: number; readonly json: Readonly<Record<string, unknown>>};

/** A person's answer, or hive's own after `ask_timeout`. */
export type ReceivedAnswer = {readonly option?: string; readonly text?: string};

/** How the server reaches the hive around its run. */
export type RunChannel = {
	readonly traceId: string;
	readonly agentId: string;
	/** Empty if the run has no task. */
	readonly taskId: string;
	/** The colony's root, absolute. */
	readonly root: string;
	/** Returns an id under which an event can be emitted more than once. */
	readonly eventId: () => string;
	/** Emits an event of the run. Without a reactor it goes to the log, or from a sandbox to the spool. */
	readonly emit: (event: object, id: string) => Promise<Emitted>;
	/**
	 * Leaves an event in the spool of the run, for hive to publish while the run goes on or when it has ended.
	 * It needs neither a reactor nor the bus.
	 */
	readonly leave: (event: object, id: string) => void;
	/** Waits for the answer, also while no reactor is alive. Undefined once the signal is aborted. */
	readonly answer: (questionId: string, signal: AbortSignal) => Promise<ReceivedAnswer | undefined>;
	/** True if a person has allowed exactly this act for good. */
	readonly isAllowed: (tool: string, input: string) => Promise<boolean>;
	/** Returns the text of a file below the root, or undefined if there is none. */
	readonly read: (path: string) => Promise<string | undefined>;
	/** Returns the names in a folder below the root; empty if there is none. */
	readonly list: (path: string) => Promise<readonly string[]>;
	readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>;
};
