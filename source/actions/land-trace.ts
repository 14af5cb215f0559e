import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Trace} from '../domain/trace.ts';
import {openRuns} from '../domain/trace.ts';
import {landingChecks} from '../ledger/landing-queue.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {type Approved, unmerged} from './approval.ts';
import {type ActionContext, type Actor, actors} from './context.ts';
import {appendDecided, refuseElsewhere} from './decide-and-append.ts';
import {finishMerge, type MergePorts} from './finish-merge.ts';
import {withMergeLock} from './merge-lock.ts';

/** The tree that may land, and the run that checked it; absent if no check is required any more. */
export type CheckedLanding = {readonly tree: string; readonly checkedBy?: string};

/**
 * Merges an approved landing, if that makes exactly the checked tree (docs/architecture.md §5). The person
 * who approved it is the author. Refuses `conflict` if it is not in the queue any more, and what a merge
 * refuses.
 */
export const landTrace = (
	ports: MergePorts & Pick<ActionContext, 'mergeLock'>,
	traceId: string,
	checked: CheckedLanding,
): Promise<Outcome<Approved>> =>
	withMergeLock(ports, async () => {
		const before = await loadTrace(ports.bus, traceId);
		if (before.landing?.pullRequest) {
			const requested = await requestLanded(ports, traceId);
			return requested.ok ? accepted(unmerged({traceId, taskId: before.landing.taskId})) : requested;
		}
		const claimed = await claimLanding(ports, traceId, checked);
		if (!claimed.ok) return claimed;
		ports.failpoint('merge.claimed');
		const trace = await loadTrace(ports.bus, traceId);
		const {merge} = trace;
		if (merge?.taskId === undefined || merge.sequence !== claimed.value.sequence) return refuse('conflict');
		return finishMerge({...ports, by: actorOf(claimed.value.value)}, trace, merge);
	});

/** Passes an approved request on, whose merge has passed its checks: the watcher sends it to the forge. */
const requestLanded = (ports: Pick<MergePorts, 'bus' | 'checkout'>, traceId: string) =>
	appendDecided(ports, traceId, trace => {
		const problem = whyNot(trace, ports.checkout);
		const {landing} = trace;
		if (problem !== undefined || landing === undefined) return problem ?? refuse('conflict');
		const {taskId, by, message, work: tree, base, sequence} = landing;
		const payload = {kind: 'pull_request.requested', taskId, tree, base, by, ...(message && {message})};
		const id = `${traceId}/landing/${sequence}/request`;
		const event = {traceId, agentId: by, type: 'SIGNAL' as const, payload};
		return accepted({events: [{id, event}], value: undefined});
	});

/** Claims the merge of an approved landing. Returns the claim's sequence and the person who approved it. */
export const claimLanding = (
	ports: Pick<MergePorts, 'bus' | 'checkout'>,
	traceId: string,
	checked: CheckedLanding,
) =>
	appendDecided(ports, traceId, trace => {
		const problem = whyNot(trace, ports.checkout);
		const {landing} = trace;
		if (problem !== undefined || landing === undefined) return problem ?? refuse('conflict');
		const {taskId, by, message, summary, sequence, strategy} = landing;
		const payload = {
			...{kind: 'merge.started', taskId, by, ...checked},
			...(strategy !== 'merge' && {strategy}),
			...(message !== undefined && {message}),
			...(summary !== undefined && {summary}),
		};
		const id = `${traceId}/landing/${sequence}/merge/${trace.sequence}`;
		const event = {traceId, agentId: by, type: 'SIGNAL' as const, payload};
		return accepted({events: [{id, event}], value: by});
	});

const whyNot = (trace: Trace, checkout: string) => {
	if (trace.landing === undefined || trace.merge !== undefined) return refuse('conflict');
	const elsewhere = refuseElsewhere(trace, checkout);
	if (elsewhere !== undefined) return elsewhere;
	const checks = new Set(landingChecks(trace).map(({agentId}) => agentId));
	const open = openRuns(trace).find(({agentId}) => !checks.has(agentId));
	return open && refuse('run_open', {message: `The run ${open.agentId} of ${open.bee} is still open.`});
};

/** The person in whose name the merge is made. */
export const actorOf = (by: string): Actor => actors.find(known => known === by) ?? 'human';
