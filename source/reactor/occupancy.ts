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
	/** True when the trace takes up less of anything than before: others may be waiting for it. */
	readonly update: (trace: Trace, colony: Colony) => boolean;
	/** Open runs of the checkout. */
	readonly open: () => number;
	readonly root: () => readonly Occupant[];
};

type Share = {readonly open: number; readonly root: readonly Occupant[]};

const nothing: Share = {open: 0, root: []};

export const createOccupancy = (checkout: string): Occupancy => {
	const shares = new Map<string, Share>();
	return {
		update: (trace, colony) => {
			const before = shares.get(trace.traceId) ?? nothing;
			const open = runsHere(trace, checkout);
			const now = {open: open.length, root: occupants(trace.traceId, open, colony, 'root')};
			if (now.open === 0) shares.delete(trace.traceId);
			else shares.set(trace.traceId, now);
			return (
				now.open < before.open || [true, false].some(writes => count(now, writes) < count(before, writes))
			);
		},
		open: () => [...shares.values()].reduce((total, {open}) => total + open, 0),
		root: () => [...shares.values()].flatMap(({root}) => root),
	};
};

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
