import {type Evidence, formatEvidence} from '../../domain/evidence.ts';
import {awaitsPerson, type Task} from '../../domain/task.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {awaitsGuard} from '../../ledger/verdicts.ts';

/** The state of a task that only hive's verification keeps from its review or completion. */
export const verifying = 'verifying';

/**
 * The result of verifying its newest proposal, or `verifying` or `not verified`; empty if it needs no
 * verification.
 */
export const formatVerification = (trace: Trace, task: Task): string => {
	const {proposal, evidence} = task;
	if (proposal?.verification === undefined) return '';
	if (isVerifying(trace, task)) return verifying;
	return evidence === undefined ? 'not verified' : formatEvidence(evidence);
};

const isVerifying = (trace: Trace, {proposal}: Task): boolean =>
	openRuns(trace).some(run => run.verifies !== undefined && run.trigger === proposal?.sequence);

/**
 * True if its own run is over, no bee checks it, and it waits for a verification that runs or has yet to
 * begin.
 */
export const isAtVerification = (trace: Trace, task: Task): boolean => {
	const {proposal, evidence, status} = task;
	if (proposal?.verification === undefined) return false;
	const isDue = evidence === undefined || isVerifying(trace, task);
	if (!isDue || openRuns(trace).some(run => run.verifies === undefined && run.trigger === proposal.sequence))
		return false;
	if (awaitsGuard(trace, task)) return true;
	return status === 'waiting_review' && proposal.verification === 'required' && !awaitsPerson(task);
};

/** The evidence in the shape that scripts rely on; null if there is none. */
export const evidenceSnapshot = (evidence: Evidence | undefined) => {
	if (evidence === undefined) return null;
	const {passed, ran, exitCode, summary, output, seconds = null, agentId} = evidence;
	return {passed, ran, exitCode, summary, output, seconds, agentId};
};
