/** Why torture ended before its time was over, or before its work had come to rest. */
export type TortureStop = 'space' | 'time' | 'signal';

/** How often each fault was played. */
export type TortureFaults = {
	readonly reactorsKilled: number;
	readonly supervisorsKilled: number;
	readonly approvalsKilled: number;
	readonly worktreesDeleted: number;
	readonly cleanUps: number;
	readonly indexLocks: number;
	readonly refLocks: number;
};

/** The result of `hive torture`. */
export type TortureReport = {
	readonly seconds: number;
	readonly stopped: TortureStop | undefined;
	readonly rounds: number;
	readonly tasks: {readonly planned: number; readonly completed: number; readonly tracesMerged: number};
	readonly faults: TortureFaults;
	/** `reason` says why it was not played. */
	readonly fullDisk: {readonly played: boolean; readonly reason?: string};
	/** False if it was stopped before the next three could be looked for. */
	readonly checked: boolean;
	/** One sentence each, as are the next two. */
	readonly lost: readonly string[];
	readonly doubled: readonly string[];
	readonly left: readonly string[];
	/** The folder with all that was played; kept only if something is wrong. */
	readonly folder?: string;
};

/** Free space that torture needs in the temporary folder, and keeps free, in bytes. */
export const tortureSpace = 500 * 1000 * 1000;
