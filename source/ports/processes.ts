/** One supervised agent process (docs/architecture.md §4). Paths are absolute. */
export type Launch = {
	/**
	 * Holds `started`, `stdout.log`, `stderr.log`, `exit` and the others that docs/architecture.md §4 names.
	 */
	readonly runDir: string;
	readonly workspace: string;
	readonly argv: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** The file that is the agent's standard input; /dev/null without one. */
	readonly input?: string;
	/** It is kept out of the person's login session where the end of that would end it. */
	readonly outlivesLogOut?: boolean;
	/**
	 * What has to be over before the run begins, while the supervisor starts. Where it throws, nothing is
	 * started, and `launch` throws that.
	 */
	readonly look?: () => Promise<Look>;
};

export type Look = {
	/** Put into the run directory by the supervisor that begins the run, before the agent: text by name. */
	readonly files: Readonly<Record<string, string>>;
	/**
	 * A program that the supervisor runs when the agent has ended, before the exit is on record. Its exit code
	 * does not count.
	 */
	readonly after?: {readonly argv: readonly string[]; readonly input: string};
};

/** Who a process is: a pid alone may be somebody else by now. */
export type ProcessIdentity = {readonly pid: number; readonly startTime: string; readonly bootId: string};

export type RunState =
	/** No `started`: nothing has begun. */
	| {readonly state: 'unbegun'}
	/** `age`: milliseconds since it began, whatever the wall clock was set to meanwhile. */
	| {readonly state: 'alive'; readonly supervisor: ProcessIdentity; readonly age: number}
	/**
	 * `signal`: what ended it, if that did; its exit code is 128 and more then. `neverBegan`: it was stopped
	 * before any supervisor began it, and none ever will.
	 */
	| {
			readonly state: 'ended';
			readonly exitCode: number;
			readonly signal?: string;
			readonly finishedAt: string;
			readonly neverBegan?: true;
	  }
	/** Begun, no exit recorded, and its supervisor is gone. */
	| {readonly state: 'vanished'};

/**
 * Starts, watches and stops runs. Everything is read from the run directory, so any process of the machine
 * can ask.
 */
export type Processes = {
	/**
	 * Starts the supervisor, which outlives this process. A second launch of one run directory does nothing.
	 */
	readonly launch: (launch: Launch) => Promise<void>;
	readonly inspect: (runDir: string) => Promise<RunState>;
	/** Resolves when the run is no longer alive, or with the signal. */
	readonly ended: (runDir: string, signal: AbortSignal) => Promise<void>;
	/**
	 * TERM to the agent's group, KILL after the grace, then whatever of its tree is left. Resolves when none
	 * is.
	 */
	readonly stop: (runDir: string, agentId: string, graceMilliseconds?: number) => Promise<void>;
	/**
	 * Stops what a finished run left behind, but the programs named in `leave` and what runs below them. How
	 * many it found.
	 */
	readonly sweep: (runDir: string, agentId: string, leave?: readonly string[]) => Promise<number>;
	/**
	 * True if the supervisors of the run, and of what ran beside it, recorded that no descendant was alive when
	 * the agent had ended, and the run was not asked to stop.
	 */
	readonly leftNothing: (runDir: string) => Promise<boolean>;
	/**
	 * Freezes the agent's whole tree where it is, never its supervisor; time-outs go on. How many processes
	 * that is.
	 */
	readonly freeze: (runDir: string, agentId: string) => Promise<number>;
	/** Lets a frozen tree go on. How many processes that is. */
	readonly thaw: (runDir: string, agentId: string) => Promise<number>;
	/** The first executable of that name on PATH. */
	readonly which: (name: string) => Promise<string | undefined>;
};

/** The perl that supervises runs: the system's own first, never one that a workspace has. */
export const findPerl = async (which: Processes['which']): Promise<string | undefined> =>
	(await which('/usr/bin/perl')) ?? (await which('perl'));
