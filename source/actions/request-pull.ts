import {requiredCheck} from '../dispatch/landing-check.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isRequested, type PullRequest} from '../domain/pull-request.ts';
import type {Trace} from '../domain/trace.ts';
import {mergeOnRecord} from '../ledger/final-gate.ts';
import {catchUp, loadTrace} from '../ledger/ledger.ts';
import {type Approved, type ApprovedRequest, type ApproveInput, findWaiting, unmerged} from './approval.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseElsewhere} from './decide-and-append.ts';
import {findMergeable} from './find-mergeable.ts';
import {completeEmptyGate} from './finish-merge.ts';
import {holdRecordedBase} from './hold-base.ts';
import {requestLanding} from './request-landing.ts';

/** Max milliseconds to wait until a request is at the forge. It goes on without the waiting process. */
const sendTimeoutMs = 60_000;

/**
 * Approves a final review into a request at the forge. Nothing is merged here, and the task stays in review
 * until the forge merges it. Where checks are required, they run on the merge first. Then waits until the
 * request is at the forge, for a minute at most. Refuses `no_forge`, and what `findMergeable` and
 * `requestLanding` refuse.
 */
export const requestPull = async (
	context: ActionContext,
	input: ApproveInput,
): Promise<Outcome<Approved>> => {
	if (context.colony.forge === undefined) return refuse('no_forge');
	const asked = await ask(context, input);
	if (!asked.ok) return asked;
	const {traceId, taskId} = input;
	const trace = await loadTrace(context.bus, traceId);
	const {now, reports} = isRequested(trace, taskId)
		? await awaitSent(context, trace)
		: {now: trace, reports: []};
	const request = now.pullRequest?.taskId === taskId ? now.pullRequest : undefined;
	if (request === undefined) return accepted({...asked.value, pullRequest: null});
	return accepted({...asked.value, pullRequest: approvedRequest(request, reports)});
};

const ask = async (context: ActionContext, input: ApproveInput): Promise<Outcome<Approved>> => {
	const {traceId, taskId} = input;
	const trace = await loadTrace(context.bus, traceId);
	const elsewhere = refuseElsewhere(trace, context.checkout);
	if (elsewhere !== undefined) return elsewhere;
	if (isRequested(trace, taskId)) return accepted(unmerged(input));
	const verify = input.withoutChecks ? undefined : requiredCheck(context.colony, trace);
	if (verify !== undefined) return requestLanding(context, {...input, pullRequest: true}, verify);
	await holdRecordedBase(context, traceId);
	const waiting = findWaiting(trace, input);
	if (!waiting.ok) return waiting;
	const found = await findMergeable(context, {...input, merge: false}, mergeOnRecord(trace) === 'some');
	if (!found.ok) return found;
	if (found.value === undefined) return completeEmptyGate(context, trace, input);
	const {work: tree, base} = found.value;
	const {by} = context;
	const {mergeMessage: message} = input;
	const decided = await decideAndAppend(context, traceId, now => {
		const still = findWaiting(now, input);
		if (!still.ok) return still;
		if (isRequested(now, taskId)) return accepted({value: undefined});
		const payload = {kind: 'pull_request.requested', taskId, tree, base, by, ...(message && {message})};
		return accepted({event: {agentId: by, type: 'SIGNAL', payload}, value: undefined});
	});
	return decided.ok ? accepted(unmerged(input)) : decided;
};

const approvedRequest = (
	{state, number, url = '', reason = ''}: PullRequest,
	reports: readonly string[],
): ApprovedRequest => ({state, number: number ?? null, url, reason, reports});

type AwaitedRequest = {readonly now: Trace; readonly reports: readonly string[]};

/** Returns the trace once its request was sent or refused, or after a while. */
const awaitSent = async (context: ActionContext, trace: Trace): Promise<AwaitedRequest> => {
	const {bus, clock, signal} = context;
	const {traceId} = trace;
	if (!(await context.reactorIsAlive(traceId)) && context.sendHere !== undefined) {
		const reports = await context.sendHere(traceId, signal);
		return {now: await loadTrace(bus, traceId), reports};
	}
	const over = new AbortController();
	const stop = clock.after(sendTimeoutMs, () => over.abort());
	const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
	try {
		let now = trace;
		for await (const _ of bus.follow({traceId, after: trace.sequence, signal: either})) {
			now = await catchUp(bus, now);
			if (now.pullRequest?.state !== 'requested') break;
		}
		return {now, reports: []};
	} finally {
		stop();
		over.abort();
	}
};
