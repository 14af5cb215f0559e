import type {Trace} from '../domain/trace.ts';
import {decideGate, isAtGate} from '../ledger/final-gate.ts';
import type {Machine} from './machine.ts';
import {announcement, completion, plan} from './runtime-events.ts';
import type {Step} from './steps.ts';

/** Opens, creates or skips the final gate once everything else is settled and nothing is owed (spec, review policy). */
export const decideGateSteps = (trace: Trace, machine: Machine): Step[] => {
	if (!isAtGate(trace) || machine.owed.length > 0) return [];
	const decision = decideGate(trace, machine.branchDiffers);
	switch (decision.gate) {
		case 'none':
			return [];
		case 'create':
			return [plan(decision.item)];
		case 'open':
			return [announcement(decision.task.taskId, 'waiting_review', 'Ready for review and merge')];
		case 'skip':
			return [completion(decision.task, 'Final gate skipped: nothing to merge', machine.now)];
	}
};
