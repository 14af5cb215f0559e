import type {Colony} from '../colony/colony.ts';
import type {Trace} from '../domain/trace.ts';
import {decideDirectRuns, decideDrops} from './decide-direct.ts';
import {decideGateSteps} from './decide-gate.ts';
import {decideOutcomes} from './decide-outcomes.ts';
import {decideRuns} from './decide-runs.ts';
import {decideTasks} from './decide-tasks.ts';
import type {Machine} from './machine.ts';
import type {Step} from './steps.ts';

/**
 * What is owed, given this state (design.md §1): pure, so that recovery after a crash is the normal path. Runs come first,
 * then the outcome of ended ones, then what events ask for (a guard sees a proposal before the next task changes the
 * workspace), then new tasks. A trace that belongs to another checkout, is killed or is being merged gets nothing new; runs
 * that were claimed here are seen to their end all the same.
 */
export const decide = (trace: Trace, colony: Colony, machine: Machine): Step[] => {
	const standing = [...decideRuns(trace, machine), ...decideDrops(trace, machine)];
	if (trace.killed || trace.merge !== undefined || isElsewhere(trace, machine)) return standing;
	return [
		...standing,
		...decideOutcomes(trace, colony, machine),
		...decideDirectRuns(trace, colony, machine),
		...decideTasks(trace, colony, machine),
		...decideGateSteps(trace, machine),
	];
};

const isElsewhere = ({place}: Trace, machine: Machine): boolean =>
	place !== undefined && place !== machine.place;
