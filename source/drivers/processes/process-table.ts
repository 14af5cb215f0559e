/** A process that exists and is not a zombie. */
export type ProcessFacts = {
	readonly pid: number;
	readonly parent: number;
	/** Id of its process group. */
	readonly group: number;
	/**
	 * Together with the pid and the boot, the identity of a process. Compare it only; `now` and `ageOf` alone
	 * calculate with it.
	 */
	readonly startTime: string;
	/** Name of its executable, as the system shortens it. */
	readonly program: string;
};

/** `marked`: it was started with the mark in its environment. */
export type ListedProcess = ProcessFacts & {readonly marked: boolean};

/** The processes of the machine, as its system reports them. */
export type ProcessTable = {
	/** Changes with every boot of the machine. */
	readonly bootId: () => Promise<string>;
	readonly find: (pid: number) => Promise<ProcessFacts | undefined>;
	/** True if this very process exists and a check is cheap. Always false where a check is expensive. */
	readonly isSurelyThere: (process: Pick<ProcessFacts, 'pid' | 'startTime'>) => boolean;
	/** Returns the start time of a process that would start now. */
	readonly now: () => string;
	/** Milliseconds since a process of this boot started; `NaN` for an invalid start time. */
	readonly ageOf: (startTime: string) => number;
	/** Returns this user's processes. `mark` is a whole `NAME=value` entry. */
	readonly list: (mark: string) => Promise<ListedProcess[]>;
};
