import {type Bee, type Colony, isWriter} from '../colony/colony.ts';
import type {Reason} from '../domain/reason.ts';
import {exhausted, reserveOf, type Spendable} from '../domain/reserve.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Workspace} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {Machine} from './machine.ts';
import type {Occupant} from './occupancy.ts';
import {occupants} from './occupancy.ts';

/**
 * The input of a decision: trace, colony and machine, and the facts that are the same for every task of the
 * trace.
 */
export type Situation = {
	readonly trace: Trace;
	readonly colony: Colony;
	readonly machine: Machine;
	/** Open runs of the trace, of every checkout. */
	readonly open: readonly RunRecord[];
	/** The open runs that are in the trace's worktree. */
	readonly worktree: readonly Occupant[];
	/** The resource that is exhausted, so that no run can be paid for. */
	readonly exhausted: Spendable | undefined;
	/** The open merge, or the landing that waits for its checks. Either stops everything new in the trace. */
	readonly merge: readonly Reason[];
	/** Set if no reactor of this checkout works on the trace, or if its version of hive is too old. */
	readonly reactor: readonly Reason[];
};

export const situationOf = (trace: Trace, colony: Colony, machine: Machine): Situation => {
	const open = openRuns(trace);
	return {
		trace,
		colony,
		machine,
		open,
		worktree: occupants(trace.traceId, open, colony, 'isolated'),
		exhausted: exhausted(reserveOf(trace, colony.defaults.budget)),
		merge: mergeReasons(trace),
		reactor: reactorReasons(trace, machine),
	};
};

const mergeReasons = ({merge, landing}: Trace): Reason[] => {
	if (merge === undefined)
		return landing === undefined ? [] : [{for: 'landing', taskId: landing.taskId, by: landing.by}];
	const {taskId, by} = merge;
	return [taskId === undefined ? {for: 'merge', by} : {for: 'merge', taskId, by}];
};

/** The checkout that has the trace, or is to have it, if it is not this one. */
const otherCheckout = ({place}: Trace, {checkout, assignedTo: leftTo}: Machine): string | undefined =>
	place === undefined ? leftTo : place === checkout ? undefined : place;

const reactorReasons = (trace: Trace, machine: Machine): Reason[] => {
	const checkout = otherCheckout(trace, machine);
	if (checkout !== undefined) return [{for: 'reactor', checkout}];
	if (!machine.isAttended) return [{for: 'reactor'}];
	return machine.newer === undefined ? [] : [{for: 'version', ...machine.newer}];
};

/** The reasons why nothing new may be done in the trace at all. */
export const heldReasons = ({merge, reactor}: Situation): readonly Reason[] => [...merge, ...reactor];

/**
 * Yields the reasons why a run of the bee cannot be claimed now.
 *
 * @param workspace where the run would work
 * @param needs `before`: open runs that must end first, which are not reported again as occupants;
 * `needsSlot`: whether the run takes a slot
 */
export function* claimReasons(
	situation: Situation,
	bee: Bee,
	workspace: Workspace,
	{before, needsSlot = true}: {readonly before: readonly RunRecord[]; readonly needsSlot?: boolean},
): Generator<Reason, undefined> {
	const {trace, machine, merge, reactor} = situation;
	yield* merge;
	yield* honeyReasons(situation);
	for (const run of before) yield {for: 'run', run};
	if (otherCheckout(trace, machine) === undefined) {
		const others = (workspace === 'isolated' ? situation.worktree : machine.root).filter(({agentId}) =>
			before.every(run => run.agentId !== agentId),
		);
		yield* workspaceReasons(bee, others);
		const {taken, total} = machine.slots;
		if (needsSlot && taken >= total) yield {for: 'slot', taken, total};
	}
	yield* reactor;
}

/**
 * The same for a bee that no longer exists. It may exist again when its run begins, and may then be a writer.
 */
export function* claimReasonsWithoutBee(situation: Situation): Generator<Reason, undefined> {
	yield* heldReasons(situation);
	yield* honeyReasons(situation);
	yield* situation.worktree.map(occupiedBy);
}

/** The resource that has to be added before anything is claimed. */
export const honeyReasons = ({exhausted: lacks}: Situation): readonly Reason[] =>
	lacks === undefined ? [] : [{for: 'honey', lacks}];

/** A workspace has one writer or any number of readers. */
const workspaceReasons = (bee: Bee, others: readonly Occupant[]): Reason[] =>
	others.filter(({writes}) => writes || isWriter(bee)).map(occupiedBy);

const occupiedBy = ({traceId, agentId, bee}: Occupant): Reason => ({for: 'workspace', traceId, agentId, bee});
