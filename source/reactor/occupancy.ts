import {beeOf, type Colony} from '../colony/colony.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {isWriter} from './decide-tasks.ts';
import type {Holders} from './machine.ts';

/** What this place's open runs take up, kept per trace so that one event costs the same however many traces there are. */
export type Occupancy = {
	/** True when the trace takes up less of anything than before: others may be waiting for it. */
	readonly update: (trace: Trace, colony: Colony) => boolean;
	/** Open runs of this place. */
	readonly open: () => number;
	readonly root: () => Holders;
};

type Share = Holders & {readonly open: number};

const nothing: Share = {open: 0, writers: 0, readers: 0};

export const createOccupancy = (place: string): Occupancy => {
	const shares = new Map<string, Share>();
	const sum = (pick: (share: Share) => number): number =>
		[...shares.values()].reduce((total, share) => total + pick(share), 0);
	return {
		update: (trace, colony) => {
			const before = shares.get(trace.traceId) ?? nothing;
			const now = shareOf(trace, colony, place);
			if (now.open === 0) shares.delete(trace.traceId);
			else shares.set(trace.traceId, now);
			return now.open < before.open || now.writers < before.writers || now.readers < before.readers;
		},
		open: () => sum(({open}) => open),
		root: () => ({writers: sum(({writers}) => writers), readers: sum(({readers}) => readers)}),
	};
};

const shareOf = (trace: Trace, colony: Colony, place: string): Share => {
	const runs = openRuns(trace).filter(run => run.place === place);
	const inRoot = runs.flatMap(run => {
		const bee = beeOf(colony, run.bee);
		return bee === undefined || bee.worktree ? [] : [bee];
	});
	const writers = inRoot.filter(isWriter).length;
	return {open: runs.length, writers, readers: inRoot.length - writers};
};
