/** How a process ended. */
export type ChildEnd = {
	/** Absent when a signal ended it, or it could not be started. */
	readonly exitCode?: number;
	/** Name of the signal that ended it. */
	readonly signal?: string;
	/** The end of what it wrote to standard error, or why it could not be started. */
	readonly stderr: string;
};

/** Another hive process that this one started. */
export type ChildHandle = {
	/** Absent when it could not be started. */
	readonly pid: number | undefined;
	/** Resolves when it is gone, for whatever reason. */
	readonly ended: Promise<ChildEnd>;
	/** Asks it to stop and resolves when it has. */
	readonly end: () => Promise<void>;
};

/** What a command printed on both its outputs, and its exit code. */
export type Printed = {readonly output: string; readonly exitCode: number};
