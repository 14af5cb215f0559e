/** Another hive process that this one started. */
export type ChildHandle = {
	/** Absent when it could not be started. */
	readonly pid: number | undefined;
	/** Asks it to stop and resolves when it has. */
	readonly end: () => Promise<void>;
};
