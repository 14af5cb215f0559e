/** One supervised agent process (docs/architecture.md §4). Paths are absolute. */
export type Launch = {
	/** Holds `started`, `before`, `after`, `exit`, `stdout.log` and `stderr.log`. */
	readonly runDir: string;
	readonly workspace: string;
	readonly argv: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** The file that is the agent's standard input; /dev/null without one. */
	readonly input?: string;
	/** Record the workspace's tree before and after the run. */
	readonly recordTrees: boolean;
	/** The tree that the workspace's checkout was made of a moment ago, which nobody has worked in since. */
	readonly madeOf?: string;
};

/** What a supervisor needs to know of the launch to come. */
export type Preparation = Pick<Launch, 'workspace' | 'recordTrees' | 'madeOf'>;

/** A supervisor without a run. It has looked at its workspace, or is about to; it ends with this process where it has none by then. */
export type Prepared = {
	/** As `Processes.launch`, which is what it does where the launch is another than was prepared, or the supervisor is gone. */
	readonly launch: (launch: Launch) => Promise<void>;
	/** It is not needed, unless a run was launched with it. */
	readonly drop: () => void;
};

/** Who a process is: a pid alone may be somebody else by now. */
export type ProcessIdentity = {readonly pid: number; readonly startTime: string; readonly bootId: string};

export type RunState =
	/** No `started`: nothing has begun. */
	| {readonly state: 'unbegun'}
	/** `age`: milliseconds since it began, whatever the wall clock was set to meanwhile. */
	| {readonly state: 'alive'; readonly supervisor: ProcessIdentity; readonly age: number}
	/**
	 * `signal`: what ended it, if that did; its exit code is 128 and more then. `neverBegan`: it was stopped before any supervisor began it, and
	 * none ever will.
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

/** Starts, watches and stops runs. Everything is read from the run directory, so any process of the machine can ask. */
export type Processes = {
	/** Starts the supervisor, which outlives this process. A second launch of one run directory does nothing. */
	readonly launch: (launch: Launch) => Promise<void>;
	/**
	 * Has a supervisor ready for a launch that may be due in a moment: its tree is taken meanwhile, so nothing may change the workspace between
	 * this and the launch. Nothing where that is not possible yet.
	 */
	readonly prepare: (preparation: Preparation) => Prepared | undefined;
	readonly inspect: (runDir: string) => Promise<RunState>;
	/** Resolves when the run is no longer alive, or with the signal. */
	readonly ended: (runDir: string, signal: AbortSignal) => Promise<void>;
	/** TERM to the agent's group, KILL after the grace, then whatever of its tree is left. Resolves when none is. */
	readonly stop: (runDir: string, agentId: string, graceMilliseconds?: number) => Promise<void>;
	/** Stops what a finished run left behind, but the programs named in `leave` and what runs below them. How many it found. */
	readonly sweep: (runDir: string, agentId: string, leave?: readonly string[]) => Promise<number>;
	/**
	 * Whether it is on record that nothing of its tree, and of what ran beside it, was there any more when the workspace was looked at
	 * after it, and that nobody asked it to stop.
	 */
	readonly leftNothing: (runDir: string) => Promise<boolean>;
	/** Freezes the agent's whole tree where it is, never its supervisor; time-outs go on. How many processes that is. */
	readonly freeze: (runDir: string, agentId: string) => Promise<number>;
	/** Lets a frozen tree go on. How many processes that is. */
	readonly thaw: (runDir: string, agentId: string) => Promise<number>;
	/** The first executable of that name on PATH. */
	readonly which: (name: string) => Promise<string | undefined>;
};

/** The perl that supervises runs: the system's own first, never one that a workspace has. */
export const findPerl = async (which: Processes['which']): Promise<string | undefined> =>
	(await which('/usr/bin/perl')) ?? (await which('perl'));
