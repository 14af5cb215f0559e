/** One supervised agent process (docs/architecture.md §4). Paths are absolute. */
export type Launch = {
	/**
	 * Holds `started`, `stdout.log`, `stderr.log`, `exit` and the other files that docs/architecture.md §4
	 * names.
	 */
	readonly runDir: string;
	readonly workspace: string;
	readonly argv: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** The file for the agent's standard input; default /dev/null. */
	readonly input?: string;
	/** Keeps the run out of the person's login session, where the end of that session would end the run. */
	readonly outlivesLogOut?: boolean;
	/**
	 * Work that must finish before the run begins; it overlaps the start of the supervisor. If it throws,
	 * nothing is started and `launch` throws the same error.
	 */
	readonly capture?: () => Promise<LaunchCapture>;
};

export type LaunchCapture = {
	/**
	 * Text by file name. The supervisor that begins the run writes them to the run directory before the agent
	 * starts.
	 */
	readonly files: Readonly<Record<string, string>>;
	/**
	 * A program that the supervisor runs after the agent has ended, before the exit is recorded. Its exit code
	 * is ignored.
	 */
	readonly after?: {readonly argv: readonly string[]; readonly input: string};
};

/** Identifies a process for certain, since a pid alone can be reused. */
export type ProcessIdentity = {readonly pid: number; readonly startTime: string; readonly bootId: string};

export type RunState =
	/** There is no `started` file: nothing has begun. */
	| {readonly state: 'unbegun'}
	/** `age`: milliseconds since it began, independent of changes to the wall clock. */
	| {readonly state: 'alive'; readonly supervisor: ProcessIdentity; readonly age: number}
	/**
	 * `signal`: the signal that ended it, if any; the exit code is then 128 plus its number. `neverBegan`: the
	 * run was stopped before a supervisor began it, and none will.
	 */
	| {
			readonly state: 'ended';
			readonly exitCode: number;
			readonly signal?: string;
			readonly finishedAt: string;
			readonly neverBegan?: true;
	  }
	/** It has begun, no exit is recorded, and its supervisor is gone. */
	| {readonly state: 'vanished'};

/**
 * Starts, watches and stops runs. All state is read from the run directory, so any process of the machine can
 * ask.
 */
export type Processes = {
	/** Starts the supervisor, which outlives this process. Idempotent for each run directory. */
	readonly launch: (launch: Launch) => Promise<void>;
	readonly inspect: (runDir: string) => Promise<RunState>;
	/** Resolves when the run is no longer alive, or when the signal aborts. */
	readonly ended: (runDir: string, signal: AbortSignal) => Promise<void>;
	/**
	 * Sends TERM to the agent's group, KILL after the grace period, and then ends the rest of its process tree.
	 * Resolves when no process of it is left.
	 */
	readonly stop: (runDir: string, agentId: string, graceMs?: number) => Promise<void>;
	/**
	 * Stops the processes that a finished run left behind, except the programs named in `leave` and their
	 * descendants. Returns how many it found.
	 */
	readonly sweep: (runDir: string, agentId: string, leave?: readonly string[]) => Promise<number>;
	/**
	 * True if the run was not asked to stop and left no process behind. The supervisors of the run and of what
	 * ran beside it record that. Each saw no descendant alive when its program had ended.
	 */
	readonly leftNoProcesses: (runDir: string) => Promise<boolean>;
	/**
	 * Suspends the agent's whole process tree, never its supervisor. Timeouts keep running. Returns the number
	 * of processes.
	 */
	readonly freeze: (runDir: string, agentId: string) => Promise<number>;
	/** Resumes a suspended tree. Returns the number of processes. */
	readonly thaw: (runDir: string, agentId: string) => Promise<number>;
	/** Returns the first executable of that name on PATH. */
	readonly which: (name: string) => Promise<string | undefined>;
};

/** Returns the perl that supervises runs. The system's own comes first, and never one from a workspace. */
export const findPerl = async (which: Processes['which']): Promise<string | undefined> =>
	(await which('/usr/bin/perl')) ?? (await which('perl'));
