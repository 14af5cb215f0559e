import {beeOf, type Colony, isWriter, workspaceOf} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Workspace} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';

/** An open run in a workspace. */
export type Occupant = {
	readonly traceId: string;
	readonly agentId: string;
	readonly bee: string;
	/** It changes files there: nobody else may be in. */
	readonly writes: boolean;
};

/**
 * What a checkout's open runs take up, kept per trace so that one event costs the same however many traces
 * there are.
 */
export type Occupancy = {
	/**
	 * The trace is like this by the log; what is reserved for it stays. True when it takes up less of anything
	 * than before: others may be waiting for it.
	 */
	readonly update: (trace: Trace, colony: Colony) => boolean;
	/** Until it is released the trace takes up too what it will once all that was decided on it is folded. */
	readonly reserve: (trace: Trace, colony: Colony) => void;
	/** The trace takes up what it does by the log; true when that became less while it was reserved. */
	readonly release: (traceId: string) => boolean;
	/** Open runs of the checkout that take a slot. */
	readonly open: () => number;
	readonly root: () => readonly Occupant[];
};

/** Ids of the open runs that take a slot, and all open runs that are in the root. */
type Share = {readonly open: ReadonlySet<string>; readonly root: readonly Occupant[]};

const isNothing = ({open, root}: Share): boolean => open.size === 0 && root.length === 0;

const nothing: Share = {open: new Set(), root: []};

export const createOccupancy = (checkout: string): Occupancy => {
	const logged = new Map<string, Share>();
	/** Beside what the log said of the trace when it was reserved first. */
	const reserved = new Map<string, {readonly share: Share; readonly before: Share}>();
	/**
	 * Of each trace that takes up anything: what is decided on an older trace may know less than the log by
	 * now, and the log less.
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
		open: new Set(open.flatMap(({agentId, interactive}) => (interactive ? [] : [agentId]))),
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

/** Of anything. */
const isLess = (share: Share, before: Share): boolean =>
	share.open.size < before.open.size ||
	[true, false].some(writes => count(share, writes) < count(before, writes));

const count = ({root}: Share, writes: boolean): number => root.filter(one => one.writes === writes).length;

/** Those of a trace's open runs that are in the workspace; the run of a bee that is gone may change it. */
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

/** Those of a trace's open runs that are the checkout's. */
export const runsHere = (trace: Trace, checkout: string) =>
	openRuns(trace).filter(({place}) => place === checkout);
