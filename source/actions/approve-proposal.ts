import {requiredCheck} from '../dispatch/landing-check.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import type {Trace} from '../domain/trace.ts';
import {type Attendance, attendanceOf, unattended} from '../ledger/attendance.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {
	type Approved,
	type ApproveInput,
	completionEvent,
	findWaiting,
	opensRequest,
	refuseShortTree,
	unmerged,
} from './approval.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseInsideRun} from './decide-and-append.ts';
import {mergeGate} from './merge-gate.ts';
import {requestLanding} from './request-landing.ts';
import {requestPull} from './request-pull.ts';
import {isShared} from './share-base.ts';

/**
 * Approves a task that waits for review (docs/rules.md §1). A final gate merges the trace branch. Any other
 * approval is an acknowledgement that merges and commits nothing.
 */
export const approveProposal = async (
	context: ActionContext,
	input: ApproveInput,
): Promise<Outcome<Approved & Attendance>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	if (input.tree === '') return refuseShortTree(input.tree);
	const trace = await loadTrace(context.bus, input.traceId);
	if (trace.tasks.get(input.taskId)?.review !== 'final') return acknowledge(context, input);
	if (opensRequest(context, input) && trace.merge === undefined) {
		const requested = await requestPull(context, input);
		return requested.ok ? accepted({...requested.value, ...unattended}) : requested;
	}
	const verify = isMergedAtOnce(trace, input) ? undefined : requiredCheck(context.colony, trace);
	const isQueued = verify !== undefined || (isShared(context.colony) && !isMergedAtOnce(trace, input));
	const merged = isQueued ? await requestLanding(context, input, verify) : await mergeGate(context, input);
	return merged.ok ? accepted({...merged.value, ...unattended}) : merged;
};

/** True if no check is asked for, or a merge is under way that has to be finished. */
const isMergedAtOnce = (trace: Trace, {merge = true, withoutChecks = false}: ApproveInput): boolean =>
	!merge || withoutChecks || trace.merge !== undefined;

const acknowledge = async (
	context: ActionContext,
	input: ApproveInput,
): Promise<Outcome<Approved & Attendance>> => {
	const {traceId, taskId, summary = ''} = input;
	const decided = await decideAndAppend(context, traceId, trace => {
		const found = findWaiting(trace, input);
		if (!found.ok) return found;
		return accepted({
			event: completionEvent(context, {
				taskId,
				summary: summary || found.value.summary || 'approved by human',
				commit: '',
			}),
			value: attendanceOf(trace, found.value),
		});
	});
	if (!decided.ok) return decided;
	return accepted({...unmerged(input), ...decided.value.value});
};
