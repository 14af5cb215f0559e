import type {AutoInvite, Colony} from '../colony/colony.ts';
import type {Invite} from '../domain/invite.ts';
import type {NewerHive} from '../domain/place.ts';
import type {RunState} from '../ports/processes.ts';
import type {Occupancy, Occupant} from './occupancy.ts';

/** Which run is asked for, and when last. */
export type Asked = {
	/** Sequence of the event that it answers. */
	readonly trigger: number;
	readonly bee: string;
	/** Of a repeat: sequence of the event that asks for it once more. */
	readonly asked?: number;
};

/** A run that an event asks for and that no claim answers yet. */
export type PendingRun = Asked & {
	/** Of the event that asks for it. */
	readonly kind: string;
	readonly taskId?: string;
	/** It is hive's own, to verify what this bee proposes. */
	readonly verifies?: string;
	/** The run that emitted the event, if one did. */
	readonly author?: string;
	/** Not before then (UTC, RFC 3339): a limit of its tool passes. */
	readonly until?: string;
	/** It begins a new session of its tool. */
	readonly fresh?: true;
};

/** An invite that an event asks for and that is not said yet. */
export type PendingInvite = Pick<Invite, 'inviteId' | 'bee' | 'intent' | 'artifactRef' | 'doneWhen'> &
	Pick<AutoInvite, 'dedupe'> & {
		/** Sequence of the event. */
		readonly trigger: number;
		/** Words that lead the task where the trace has them. */
		readonly recall?: AutoInvite['task']['recall'];
		/** What it is about otherwise. */
		readonly task: string;
	};

/** Facts about this machine that a decision needs: what is true outside the log. */
export type Machine = {
	/** Id of the checkout. */
	readonly checkout: string;
	/** A reactor of the checkout works on the trace. */
	readonly isAttended: boolean;
	/** A hive that is newer than that of the checkout, and has worked on the log. */
	readonly newer?: NewerHive | undefined;
	/** The other checkout that is to have the trace, while nobody has it. */
	readonly leftTo?: string | undefined;
	/** UTC, RFC 3339: written into what is decided. */
	readonly now: string;
	/** Of this trace's open runs. `busy`: something is under way for it already. */
	readonly runs: ReadonlyMap<string, RunState['state'] | 'overdue' | 'busy'>;
	/** Open runs of the checkout that take a slot, and how many may be. */
	readonly slots: {readonly taken: number; readonly total: number};
	/** Who is in the colony root, over all traces. */
	readonly root: readonly Occupant[];
	readonly pending: readonly PendingRun[];
	readonly invites: readonly PendingInvite[];
	/**
	 * Of the files that reported invites need: whether they are there. Those that nobody has looked for are
	 * absent.
	 */
	readonly files: ReadonlyMap<string, boolean>;
	/**
	 * By id of a pending invite: the words that its `recall` found, or empty. Those that nobody has looked for
	 * are absent.
	 */
	readonly recalled: ReadonlyMap<string, string>;
	/** Of bees that are asked for by what is pending, by role: the program that is not on this machine. */
	readonly missingPrograms: ReadonlyMap<string, string>;
	/** Asked of git where the log does not know whether there is something to merge; otherwise false. */
	readonly branchDiffers: boolean;
};

/** What is counted over all traces of a checkout. */
export type Checkout = {readonly checkout: string; readonly colony: Colony; readonly occupancy: Occupancy};

/** The facts that are read from the log, whoever reads it: the reactor, or a command beside it. */
export const countedFacts = ({
	checkout,
	colony,
	occupancy,
}: Checkout): Pick<Machine, 'checkout' | 'slots' | 'root'> => ({
	checkout,
	slots: {taken: occupancy.open(), total: colony.defaults.maxParallelRuns},
	root: occupancy.root(),
});
