import type {Colony} from '../colony/colony.ts';
import type {Reason, VersionReason} from '../domain/reason.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {planReasons} from '../ledger/queue.ts';
import {closedReasons, decideGateSteps} from './decide-gate.ts';
import {decideInviteDrops, decideInvites} from './decide-invites.ts';
import {decideOutcomes, repeatReasons, reviewReasons, runningReasons} from './decide-outcomes.ts';
import {decideDrops, decidePending, pendingReasons} from './decide-pending.ts';
import {decideRuns} from './decide-runs.ts';
import {blockedReasons, decideTasks, readyReasons} from './decide-tasks.ts';
import type {Machine, PendingRun} from './machine.ts';
import {heldReasons, type Situation, situationOf} from './situation.ts';
import type {Step} from './steps.ts';

/** The steps that are due, and the reasons why others are not. */
export type Decision = {
	readonly steps: readonly Step[];
	/** Set if a step is withheld because the hive of this checkout is too old. */
	readonly outdated: VersionReason | undefined;
	/**
	 * The reasons, given by the same rules that withhold the steps. The first obstacle comes first; empty if
	 * there is none.
	 */
	readonly waits: {
		readonly task: (task: Task) => readonly Reason[];
		/** For each run that an event asks for and that is not claimed yet. */
		readonly runs: () => readonly {readonly run: PendingRun; readonly reasons: readonly Reason[]}[];
	};
};

/**
 * Returns the steps that are due in this state: pure, so that recovery after a crash is the normal path. Open
 * runs come first, then the outcomes of ended ones. Runs that events ask for come next, so that a guard sees
 * a proposal before the next task changes the workspace. New tasks come last. A trace that belongs to another
 * checkout, is killed or is being merged gets nothing new. Runs that this checkout claimed are still carried
 * to their end.
 */
export const decide = (trace: Trace, colony: Colony, machine: Machine): Decision => {
	const situation = situationOf(trace, colony, machine);
	return {
		steps: [
			...decideRuns(trace, machine),
			...decideDrops(trace, machine),
			...decideInviteDrops(trace, machine),
			...newSteps(situation),
		],
		outdated: outdatedIn(situation),
		waits: {
			task: task => [...taskReasons(situation, task)],
			runs: () => machine.pending.map(run => ({run, reasons: [...pendingReasons(situation, run)]})),
		},
	};
};

const outdatedIn = (situation: Situation): VersionReason | undefined => {
	const {newer} = situation.machine;
	if (newer === undefined || newSteps({...situation, reactor: []}).length === 0) return undefined;
	return {for: 'version', ...newer};
};

const newSteps = (situation: Situation): Step[] => {
	if (situation.trace.killed || situation.machine.landsOnly || heldReasons(situation).length > 0) return [];
	return [
		...decideOutcomes(situation),
		...decideInvites(situation),
		...decidePending(situation),
		...decideTasks(situation),
		...decideGateSteps(situation),
	];
};

const taskReasons = (situation: Situation, task: Task): Iterable<Reason> => {
	switch (task.status) {
		case 'planned':
			return task.review === 'final' ? closedReasons(situation, task) : planReasons(situation.trace, task);
		case 'ready':
			return readyReasons(situation, task);
		case 'running':
			return runningReasons(situation, task);
		case 'waiting_review':
			return reviewReasons(situation, task);
		case 'blocked':
			return blockedReasons(situation, task);
		case 'failed':
			return [{for: 'retry'}];
		case 'completed':
			return repeatReasons(situation.trace, task);
		case 'cancelled':
			return [];
	}
};
