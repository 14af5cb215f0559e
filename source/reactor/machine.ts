import type {RunState} from '../ports/processes.ts';

/** A direct run that an event asks for and that no claim answers yet (design.md §3). */
export type OwedRun = {
	/** Sequence of the event. */
	readonly trigger: number;
	readonly kind: string;
	readonly bee: string;
	readonly taskId?: string;
	/** The run that emitted the event, if one did. */
	readonly author?: string;
};

/** Who is in a workspace. */
export type Holders = {readonly writers: number; readonly readers: number};

/** Facts about this machine that a decision needs: what is true outside the log. */
export type Machine = {
	readonly place: string;
	/** UTC, RFC 3339: written into what is decided. */
	readonly now: string;
	/** Of this trace's open runs. `busy`: something is under way for it already. */
	readonly runs: ReadonlyMap<string, RunState['state'] | 'overdue' | 'busy'>;
	/** Places left of `max_parallel_runs`. */
	readonly freePlaces: number;
	/** The colony root, over all traces. */
	readonly root: Holders;
	readonly owed: readonly OwedRun[];
	/** Asked for only when the trace is at its gate; otherwise false. */
	readonly branchDiffers: boolean;
};
