import type {Reason} from '../domain/reason.ts';
import {isFree} from '../domain/reason.ts';
import type {PendingRun} from './machine.ts';
import {heldReasons, type Situation} from './situation.ts';
import type {Claim} from './steps.ts';

/** Returns the step that starts the verification; none if something prevents it. */
export const claimVerification = (situation: Situation, run: PendingRun): Claim[] => {
	const {trigger, bee, taskId, verifies} = run;
	if (!isFree(verificationReasons(situation, run)) || verifies === undefined) return [];
	const task = taskId === undefined ? {} : {taskId};
	return [{do: 'claim', bee, trigger, ...task, verifies, reason: 'proposal.verify'}];
};

/**
 * Yields the reasons why a verification cannot start now. It needs a slot, but no honey and no trace's
 * workspace.
 */
export function* verificationReasons(
	situation: Situation,
	{author}: PendingRun,
): Generator<Reason, undefined> {
	const {open, machine} = situation;
	for (const run of open) if (run.agentId === author) yield {for: 'run', run};
	const {taken, total} = machine.slots;
	if (taken >= total) yield {for: 'slot', taken, total};
	yield* heldReasons(situation);
}

/**
 * Yields the runs of a required verification that is not finished. A bee that completes tasks waits for it,
 * since an earlier completion would be refused.
 */
export function* openVerificationReasons(
	{trace, open, machine}: Situation,
	{taskId}: PendingRun,
): Generator<Reason, undefined> {
	const proposal = trace.tasks.get(taskId ?? '')?.proposal;
	if (proposal?.verification !== 'required') return;
	for (const run of open)
		if (run.verifies !== undefined && run.trigger === proposal.sequence) yield {for: 'run', run};
	for (const {verifies, trigger, bee} of machine.pending)
		if (verifies !== undefined && trigger === proposal.sequence) yield {for: 'pending', bee, trigger};
}
