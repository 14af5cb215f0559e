import type {LandingStrategy} from '../../domain/landing.ts';
import type {Approval} from '../../domain/pull-request.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {type LandingPlace, landingChecks} from '../../ledger/landing-queue.ts';
import {type LandingQueue, type MergeCheck, notChecked, positionOf, queueOf} from './landing.ts';
import {isLanding} from './task.ts';

export type SheetLanding = {
	/** The base branch; empty for a detached HEAD. */
	readonly branch: string;
	/** How it lands unless the person chooses. */
	readonly strategy: LandingStrategy;
	/** Subject of the commit, and its body after an empty line. */
	readonly message: string;
	readonly signed: boolean;
	/** `required`: it is pushed to the upstream of its base. */
	readonly push: 'none' | 'required';
	/** The effect of approving unless the person chooses; null without a forge. */
	readonly onApprove: Approval | null;
	/** Git's id of the tree that approving puts on the base; empty if it conflicts. */
	readonly tree: string;
};

/** An approved merge that waits in the landing queue. */
export type SheetQueued = {
	readonly state: LandingPlace['state'];
	/** From 1, among the landings on its branch; null if the queue is not known. */
	readonly position: number | null;
	/** When it was approved (UTC, RFC 3339). */
	readonly since: string;
	/** Short name of the branch that it lands on. */
	readonly base: string;
	/** The running check; null if none runs. */
	readonly check: {readonly agentId: string; readonly since: string} | null;
};

export type SheetLeft = {
	/** In a sentence. */
	readonly reason: string;
	/** The end of the output of the failed check; empty if it is not known, or if no check is the reason. */
	readonly output: string;
};

/** Facts about the merge that a snapshot does not have. Absent ones are still being read. */
export type FactsOfLanding = {
	readonly lands?: SheetLanding;
	readonly mergeCheck?: MergeCheck;
	/** The landing queue of the colony. */
	readonly queue?: LandingQueue;
	/** The end of the output of the check because of which it did not land. */
	readonly failedOutput?: string;
};

/**
 * The tree that a decision is about: the merge of a final gate, else the proposal of the task. Undefined
 * while other merges land first, since they change the tree.
 */
export const decidedTree = (
	trace: Trace,
	task: Task | undefined,
	facts: FactsOfLanding,
): string | undefined => {
	if (task !== undefined && task.review !== 'final') return task.proposal?.tree;
	return isBehind(trace, facts) ? undefined : facts.lands?.tree;
};

/** True if other merges land before it, so that it is not known yet what it makes. */
const isBehind = (trace: Trace, {queue = [], lands}: FactsOfLanding): boolean =>
	positionOf(queue, trace, trace.landing?.base ?? lands?.branch ?? '') > 1;

export const mergeCheckOf = (trace: Trace, facts: FactsOfLanding): MergeCheck | null => {
	const {mergeCheck = null} = facts;
	if (mergeCheck === null || mergeCheck.state === 'not_required') return mergeCheck;
	return isBehind(trace, facts) ? notChecked : mergeCheck;
};

export const queuedOf = (
	trace: Trace,
	task: Task | undefined,
	{queue}: FactsOfLanding,
): SheetQueued | null => {
	if (trace.landing === undefined || (task !== undefined && !isLanding(trace, task))) return null;
	const {traceId} = trace;
	const [found] = (queue ?? queueOf([trace])).filter(place => place.trace.traceId === traceId);
	const check = landingChecks(trace).findLast(({status}) => status === 'running');
	return {
		state: found?.state ?? 'waiting',
		position: queue === undefined ? null : (found?.position ?? null),
		since: trace.landing.at,
		base: trace.landing.base,
		check: check === undefined ? null : {agentId: check.agentId, since: check.startedAt},
	};
};

export const leftOf = (
	{landingLeft}: Trace,
	task: Task | undefined,
	{failedOutput = ''}: FactsOfLanding,
): SheetLeft | null =>
	landingLeft === undefined || (task !== undefined && task.taskId !== landingLeft.taskId)
		? null
		: {reason: landingLeft.reason, output: failedOutput};
