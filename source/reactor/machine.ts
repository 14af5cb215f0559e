import type {AutoInvite, Colony} from '../colony/colony.ts';
import type {Invite} from '../domain/invite.ts';
import type {NewerHive} from '../domain/machine-status.ts';
import type {Used} from '../domain/run.ts';
import type {RunState} from '../ports/processes.ts';
import type {Occupancy, Occupant} from './occupancy.ts';

/** Identifies a requested run, with its latest request. */
export type RequestedRun = {
	/** Sequence of the event that it answers. */
	readonly trigger: number;
	readonly bee: string;
	/** For a repeat: sequence of the event that asks for it once more. */
	readonly asked?: number;
};

/** A run that an event asks for and that is not claimed yet. */
export type PendingRun = RequestedRun & {
	/** Kind of the event that asks for it. */
	readonly kind: string;
	readonly taskId?: string;
	/** Set for hive's own run, which verifies the proposal of this bee. */
	readonly verifies?: string;
	/** The run that emitted the event, if one did. */
	readonly author?: string;
	/** The run must not begin before this time (UTC, RFC 3339), when a limit of its tool passes. */
	readonly until?: string;
	/** Set if it begins a new session of its tool. */
	readonly fresh?: true;
};

/** An invite that an event asks for and that is not emitted yet. */
export type PendingInvite = Pick<Invite, 'inviteId' | 'bee' | 'intent' | 'artifactRef' | 'doneWhen'> &
	Pick<AutoInvite, 'dedupe'> & {
		/** Sequence of the event. */
		readonly trigger: number;
		/** The text to put before the task, if the trace has it. */
		readonly recall?: AutoInvite['task']['recall'];
		/** The task, if no text is recalled. */
		readonly task: string;
	};

/** The facts outside a trace's log that a decision needs, about this machine and its checkout. */
export type Machine = {
	/** Id of the checkout. */
	readonly checkout: string;
	/** True if a reactor of the checkout works on the trace. */
	readonly isAttended: boolean;
	/** A newer version of hive than this checkout's, if one has worked on the log. */
	readonly newer?: NewerHive | undefined;
	/** The other checkout that is to get the trace, while no checkout has it. */
	readonly assignedTo?: string | undefined;
	/** UTC, RFC 3339; used in the decided events. */
	readonly now: string;
	/** State of this trace's open runs. `busy`: an effect for the run is under way. */
	readonly runs: ReadonlyMap<string, RunState['state'] | 'overdue' | 'busy'>;
	/** What open runs have used so far, if known and if they go on. Absent: nothing is known. */
	readonly usage?: ReadonlyMap<string, Used>;
	/** Open runs of the checkout that take a slot, and the maximum. */
	readonly slots: {readonly taken: number; readonly total: number};
	/** The open runs in the colony root, over all traces. */
	readonly root: readonly Occupant[];
	readonly pending: readonly PendingRun[];
	readonly invites: readonly PendingInvite[];
	/** Whether each file that a reported invite needs exists. Files that were not looked for are absent. */
	readonly files: ReadonlyMap<string, boolean>;
	/**
	 * By id of a pending invite: the text that its `recall` found, or empty. Invites without a lookup are
	 * absent.
	 */
	readonly recalled: ReadonlyMap<string, string>;
	/** True if the run checks a tree that would not land any more. Absent: none does. */
	readonly isUnwanted?: (agentId: string) => boolean;
	/** Set if only landings are worked on: no agent is started. */
	readonly landsOnly?: true;
	/** By role of a bee that a pending run needs: its program, if that is not on this machine. */
	readonly missingPrograms: ReadonlyMap<string, string>;
	/** Git's answer if the log does not know whether there is something to merge; otherwise false. */
	readonly branchDiffers: boolean;
};

/** The source of the facts that are counted over all traces of a checkout. */
export type Checkout = {readonly checkout: string; readonly colony: Colony; readonly occupancy: Occupancy};

/** The facts that are read from the log, for the reactor or for a command beside it. */
export const countedFacts = ({
	checkout,
	colony,
	occupancy,
}: Checkout): Pick<Machine, 'checkout' | 'slots' | 'root'> => ({
	checkout,
	slots: {taken: occupancy.open(), total: colony.defaults.maxParallelRuns},
	root: occupancy.root(),
});
