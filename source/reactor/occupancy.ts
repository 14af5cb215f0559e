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

/** What a checkout's open runs take up, kept per trace so that one event costs the same however many traces there are. */
export type Occupancy = {
	/**
	 * The trace is like this by the log; what is reserved for it stays. True when it takes up less of anything than before: others
	 * may be waiting for it.
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
	const shareOf = (trace: Trace, colony: Colony): Share => {
		const open = runsHere(trace, checkout);
		return {
			open: new Set(open.flatMap(({agentId, interactive}) => (interactive ? [] : [agentId]))),
			root: occupants(trace.traceId, open, colony, 'root'),
		};
	};
	const byLog = (traceId: string): Share => logged.get(traceId) ?? nothing;
	/** What is decided on an older trace may know less than the log by now, and what is in the log less than what is decided. */
	const shares = (): Share[] => [
		...[...reserved].map(([traceId, {share}]) => union(share, byLog(traceId))),
		...[...logged].flatMap(([traceId, share]) => (reserved.has(traceId) ? [] : [share])),
	];
	return {
		update: (trace, colony) => {
			const {traceId} = trace;
			const before = byLog(traceId);
			const share = shareOf(trace, colony);
			if (isNothing(share)) logged.delete(traceId);
			else logged.set(traceId, share);
			return !reserved.has(traceId) && isLess(share, before);
		},
		reserve: (trace, colony) => {
			const {traceId} = trace;
			const before = reserved.get(traceId)?.before ?? byLog(traceId);
			reserved.set(traceId, {share: shareOf(trace, colony), before});
		},
		release: traceId => {
			const before = reserved.get(traceId)?.before ?? nothing;
			reserved.delete(traceId);
			return isLess(byLog(traceId), before);
		},
		open: () => shares().reduce((total, {open}) => total + open.size, 0),
		root: () => shares().flatMap(({root}) => root),
	};
};

const union = (one: Share, other: Share): Share => {
	if (isNothing(one)) return other;
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

/** Those of a trace's open runs that are in the workspace; a bee that is gone is in none. */
export const occupants = (
	traceId: string,
	open: readonly RunRecord[],
	colony: Colony,
	workspace: Workspace,
): Occupant[] =>
	open.flatMap(run => {
		const bee = beeOf(colony, run.bee);
		if (bee === undefined || workspaceOf(bee, run) !== workspace) return [];
		return [{traceId, agentId: run.agentId, bee: run.bee, writes: isWriter(bee)}];
	});

/** Those of a trace's open runs that are the checkout's. */
export const runsHere = (trace: Trace, checkout: string) =>
	openRuns(trace).filter(({place}) => place === checkout);
