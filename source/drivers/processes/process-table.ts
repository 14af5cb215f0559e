/** A process that is there and not a zombie. */
export type ProcessFacts = {
	readonly pid: number;
	readonly parent: number;
	/** Id of its process group. */
	readonly group: number;
	/**
	 * With the pid and the boot this is the process's identity: compared, and calculated with by `now` and
	 * `ageOf` alone.
	 */
	readonly startTime: string;
	/** Name of its executable, as the system shortens it. */
	readonly program: string;
};

/** `marked`: it was started with the mark in its environment. */
export type ListedProcess = ProcessFacts & {readonly marked: boolean};

/** The processes of the machine, as its system reports them. */
export type ProcessTable = {
	/** Changes with every start of the machine. */
	readonly bootId: () => Promise<string>;
	readonly find: (pid: number) => Promise<ProcessFacts | undefined>;
	/** Whether that very process is there, where a look is cheap; false where it is not. */
	readonly isSurelyThere: (process: Pick<ProcessFacts, 'pid' | 'startTime'>) => boolean;
	/** What a process that starts now has as its start time. */
	readonly now: () => string;
	/** Milliseconds since a process of this boot started; `NaN` of what is no start time. */
	readonly ageOf: (startTime: string) => number;
	/** This user's processes. `mark` is a whole `NAME=value` entry. */
	readonly list: (mark: string) => Promise<ListedProcess[]>;
};
