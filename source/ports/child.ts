/** How a process ended. */
export type ChildEnd = {
	/** Absent when a signal ended it, or it could not be started. */
	readonly exitCode?: number;
	/** Name of the signal that ended it. */
	readonly signal?: string;
	/** The end of its standard error, or the reason why it could not be started. */
	readonly stderr: string;
};

/** Another hive process that this one started. */
export type ChildHandle = {
	/** Absent when it could not be started. */
	readonly pid: number | undefined;
	/** Resolves when the process has ended, for any reason. */
	readonly ended: Promise<ChildEnd>;
	/** Asks it to stop, and resolves when it has ended. */
	readonly end: () => Promise<void>;
};

/** A command's output on both streams, and its exit code. */
export type Printed = {readonly output: string; readonly exitCode: number};
