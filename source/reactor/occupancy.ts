import {beeOf, type Colony, isWriter, workspaceOf} from '../colony/colony.ts';
import {type RunRecord, takesSlot} from '../domain/run.ts';
import type {Workspace} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';

/** An open run in a workspace. */
export type Occupant = {
	readonly traceId: string;
	readonly agentId: string;
	readonly bee: string;
	/** True if it changes files there: no other run may be in the workspace. */
	readonly writes: boolean;
};

/**
 * Capacity accounting of a checkout's open runs. It is kept per trace, so that the cost of an event does not
 * depend on the number of traces.
 */
export type Occupancy = {
	/**
	 * Sets the trace's share from the log; its reservation stays. Returns true if the trace takes less of
	 * anything than before, so others may be able to begin.
	 */
	readonly update: (trace: Trace, colony: Colony) => boolean;
	/** Reserves the share that the trace will take once all decided events are folded, until it is released. */
	readonly reserve: (trace: Trace, colony: Colony) => void;
	/** Ends the reservation. Returns true if the trace's share from the log became smaller meanwhile. */
	readonly release: (traceId: string) => boolean;
	/** Number of the checkout's open runs that take a slot. */
	readonly open: () => number;
	readonly root: () => readonly Occupant[];
};

/** Ids of the open runs that take a slot, and all open runs in the root. */
type Share = {readonly open: ReadonlySet<string>; readonly root: readonly Occupant[]};

const isNothing = ({open, root}: Share): boolean => open.size === 0 && root.length === 0;

const nothing: Share = {open: new Set(), root: []};

export const createOccupancy = (checkout: string): Occupancy => {
	const logged = new Map<string, Share>();
	/** With the trace's share from the log at its first reservation. */
	const reserved = new Map<string, {readonly share: Share; readonly before: Share}>();
	/**
	 * The union of both shares, for each trace that takes anything. A reservation decided on an older trace may
	 * lack runs that the log has by now. The log may lack reserved runs.
	 */
	const taken = new Map<string, Share>();
	let open = 0;
	let root: readonly Occupant[] | undefined;
	const known = new WeakMap<Trace, {readonly colony: Colony; readonly share: Share}>();
	const shareOf = (trace: Trace, colony: Colony): Share => {
		const found = known.get(trace);
		if (found?.colony === colony) return found.share;
		const share = readShare(trace, colony, checkout);
		known.set(trace, {colony, share});
		return share;
	};
	const byLog = (traceId: string): Share => logged.get(traceId) ?? nothing;
	const recount = (traceId: string): void => {
		const before = taken.get(traceId) ?? nothing;
		const now = union(reserved.get(traceId)?.share ?? nothing, byLog(traceId));
		if (now === before) return;
		open += now.open.size - before.open.size;
		root = undefined;
		if (isNothing(now)) taken.delete(traceId);
		else taken.set(traceId, now);
	};
	return {
		update: (trace, colony) => {
			const {traceId} = trace;
			const before = byLog(traceId);
			const share = shareOf(trace, colony);
			if (isNothing(share)) logged.delete(traceId);
			else logged.set(traceId, share);
			recount(traceId);
			return !reserved.has(traceId) && isLess(share, before);
		},
		reserve: (trace, colony) => {
			const {traceId} = trace;
			const before = reserved.get(traceId)?.before ?? byLog(traceId);
			reserved.set(traceId, {share: shareOf(trace, colony), before});
			recount(traceId);
		},
		release: traceId => {
			const before = reserved.get(traceId)?.before ?? nothing;
			reserved.delete(traceId);
			recount(traceId);
			return isLess(byLog(traceId), before);
		},
		open: () => open,
		root: () => {
			root ??= [...taken.values()].flatMap(share => share.root);
			return root;
		},
	};
};

const readShare = (trace: Trace, colony: Colony, checkout: string): Share => {
	const open = runsHere(trace, checkout);
	if (open.length === 0) return nothing;
	return {
		open: new Set(open.filter(takesSlot).map(({agentId}) => agentId)),
		root: occupants(trace.traceId, open, colony, 'root'),
	};
};

const union = (one: Share, other: Share): Share => {
	if (isNothing(one) || one === other) return other;
	if (isNothing(other)) return one;
	return {
		open: new Set([...one.open, ...other.open]),
		root: [
			...one.root,
			...other.root.filter(({agentId}) => !one.root.some(known => known.agentId === agentId)),
		],
	};
};

/** True if the share is smaller in any part. */
const isLess = (share: Share, before: Share): boolean =>
	share.open.size < before.open.size ||
	[true, false].some(writes => count(share, writes) < count(before, writes));

const count = ({root}: Share, writes: boolean): number => root.filter(one => one.writes === writes).length;

/**
 * The trace's open runs that are in the workspace. The run of a bee that no longer exists counts as a writer.
 */
export const occupants = (
	traceId: string,
	open: readonly RunRecord[],
	colony: Colony,
	workspace: Workspace,
): Occupant[] =>
	open.flatMap(run => {
		const bee = beeOf(colony, run.bee);
		const where = bee === undefined ? run.workspace : workspaceOf(bee, run);
		if (where !== workspace) return [];
		return [{traceId, agentId: run.agentId, bee: run.bee, writes: bee === undefined || isWriter(bee)}];
	});

/** The trace's open runs that belong to the checkout. */
export const runsHere = (trace: Trace, checkout: string) =>
	openRuns(trace).filter(({place}) => place === checkout);
