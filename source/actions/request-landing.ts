import type {Verify} from '../colony/colony.ts';
import {usableEvidence} from '../dispatch/landing-check.ts';
import {accepted, formatRefusal, type Outcome, refuse} from '../domain/errors.ts';
import {runtimeAgent} from '../domain/event.ts';
import type {LandingStrategy} from '../domain/landing.ts';
import {isRequested} from '../domain/pull-request.ts';
import type {Trace} from '../domain/trace.ts';
import {mergeOnRecord} from '../ledger/final-gate.ts';
import {landingQueue} from '../ledger/landing-queue.ts';
import {loadTrace, openLedger} from '../ledger/ledger.ts';
import type {TreeEvidence} from '../ledger/tree-evidence.ts';
import {type Approved, type ApproveInput, findWaiting, strategyOf, unmerged} from './approval.ts';
import {awaitLanding} from './await-landing.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseElsewhere} from './decide-and-append.ts';
import {findMergeable, type Mergeable} from './find-mergeable.ts';
import {completeEmptyGate} from './finish-merge.ts';
import {holdRecordedBase} from './hold-base.ts';
import {landTrace} from './land-trace.ts';
import {isShared} from './share-base.ts';

/**
 * Approves a final review whose merge has to pass checks before it lands, or is pushed to a shared base
 * (docs/architecture.md §5). Lands it at once if its tree has passed the checks and nothing is ahead of it.
 * Otherwise it joins the landing queue: a reactor lands it, or without one this process. Refuses
 * `checks_failed` if the tree failed them, and what a merge refuses.
 */
export const requestLanding = async (
	context: ActionContext,
	input: ApproveInput,
	verify: Verify | undefined,
): Promise<Outcome<Approved>> => {
	const {traceId, taskId} = input;
	const trace = await loadTrace(context.bus, traceId);
	const refused = refuseElsewhere(trace, context.checkout);
	if (refused !== undefined) return refused;
	if (trace.landing?.taskId === taskId && !input.first)
		return afterRequest(context, input, trace, {mayLand: false});
	await holdRecordedBase(context, traceId);
	const waiting = findWaiting(trace, input);
	if (!waiting.ok) return waiting;
	const found = await findMergeable(context, input, mergeOnRecord(trace) === 'some');
	if (!found.ok) return found;
	const {value: mergeable} = found;
	if (mergeable === undefined) return completeEmptyGate(context, trace, input);
	const evidence = verify && (await usableEvidence(context, verify, mergeable.tree));
	if (evidence?.passed === false && !input.again) return refuseFailed(input, mergeable, evidence);
	context.failpoint('merge.planned');
	const requested = await decideAndAppend(context, traceId, now => {
		const still = findWaiting(now, input);
		if (!still.ok) return still;
		const checked = evidence?.passed ? [checkedEvent(taskId, mergeable.tree, evidence)] : [];
		const kept = input.again ? now.landingLeft?.message : undefined;
		const approved = input.again ? now.landingLeft?.strategy : undefined;
		const pullRequest = input.pullRequest ?? (input.again ? now.landingLeft?.pullRequest : undefined);
		const {mergeMessage = kept, strategy = approved} = input;
		const how = strategyOf(context, {strategy});
		const event = landingRequest(context, {...input, mergeMessage, pullRequest}, mergeable, how);
		return accepted({event, next: checked, value: undefined});
	});
	if (!requested.ok) return requested;
	context.failpoint('landing.requested');
	const mayLand = verify === undefined || evidence?.passed === true;
	return afterRequest(context, input, await loadTrace(context.bus, traceId), {mayLand, evidence});
};

const checkedEvent = (taskId: string, tree: string, {passed, agentId}: TreeEvidence) => ({
	...{agentId: runtimeAgent, type: 'SIGNAL' as const},
	payload: {kind: 'landing.checked', taskId, tree, passed, agentId},
});

/** The event that puts an approved merge into the landing queue. */
export const landingRequest = (
	{by}: Pick<ActionContext, 'by'>,
	input: Omit<ApproveInput, 'traceId'>,
	{tree, work, base}: Mergeable,
	strategy: LandingStrategy = 'merge',
) => {
	const {taskId, mergeMessage: message, summary, first, again, pullRequest} = input;
	const payload = {
		...{kind: 'landing.requested', taskId, tree, work, base, by, strategy},
		...(message && {message}),
		...(summary && {summary}),
		...(first && {first}),
		...(again && {again}),
		...(pullRequest && {pullRequest}),
		...(input.withoutChecks && {withoutChecks: overrideOf(input)}),
	};
	return {agentId: by, type: 'SIGNAL' as const, payload};
};

/** The override as the log keeps it. */
export const overrideOf = ({reason}: Pick<ApproveInput, 'reason'>) => (reason ? {reason} : {});

/** Lands what can land now. Otherwise waits for it if asked, or if no reactor would land it. */
const afterRequest = async (
	context: ActionContext,
	input: ApproveInput,
	trace: Trace,
	{
		mayLand,
		evidence,
	}: {
		/** True if nothing has to be checked before it lands. */
		readonly mayLand: boolean;
		readonly evidence?: TreeEvidence | undefined;
	},
): Promise<Outcome<Approved>> => {
	const {traceId} = input;
	const {landing} = trace;
	if (landing === undefined) return readLanded(trace, input);
	const queue = landingQueue((await openLedger(context.bus)).traces().values());
	const position = queue.find(({trace: {traceId: id}}) => id === traceId)?.position ?? 1;
	if (mayLand && position === 1) {
		const checkedBy = evidence?.agentId;
		const landed = await landTrace(context, traceId, {tree: landing.tree, ...(checkedBy && {checkedBy})});
		if (landed.ok) return landed;
		const {code} = landed.refusal;
		// The base has followed its upstream, so the queue makes the merge again.
		const hasFollowed = code === 'stale_view' && isShared(context.colony);
		if (code !== 'conflict' && !hasFollowed) {
			await sendBack(context, traceId, landing.sequence, formatRefusal(landed.refusal));
			return landed;
		}
	}
	const {signal} = context;
	if (!(await context.reactorIsAlive(traceId)) && context.landHere !== undefined)
		await context.landHere(traceId, signal);
	else if (input.wait) await awaitLanding(context.bus, traceId, signal);
	const now = await loadTrace(context.bus, traceId);
	if (now.landing === undefined) return readLanded(now, input);
	return accepted({...unmerged(input), landing: {position, tree: landing.tree}});
};

/** Takes a landing that was refused out of the queue, unless it is another one by now. */
const sendBack = (context: ActionContext, traceId: string, sequence: number, reason: string) =>
	decideAndAppend(context, traceId, ({landing}) => {
		if (landing?.sequence !== sequence) return accepted({value: undefined});
		const payload = {kind: 'landing.left', taskId: landing.taskId, reason};
		return accepted({event: {agentId: runtimeAgent, type: 'SIGNAL', payload}, value: undefined});
	});

/** The end of a landing, as the log has it. */
const readLanded = (trace: Trace, input: ApproveInput): Outcome<Approved> => {
	const {taskId} = input;
	const {landed = [], landingLeft, tasks} = trace;
	const done = landed.findLast(one => one.taskId === taskId);
	if (landingLeft?.taskId === taskId)
		return refuse(landingLeft.check === undefined ? 'landing_left' : 'checks_failed', {
			message: landingLeft.reason,
			hint: retryHint(input),
		});
	if (isRequested(trace, taskId)) return accepted(unmerged(input));
	if (tasks.get(taskId)?.status !== 'completed') return refuse('conflict');
	return accepted({...unmerged(input), commit: done?.commit ?? '', base: done?.base ?? ''});
};

const refuseFailed = (input: ApproveInput, {base}: Mergeable, {summary, agentId}: TreeEvidence) =>
	refuse('checks_failed', {
		message: `The checks failed on what would land on ${base}: ${summary} (${agentId}). Nothing was merged.`,
		hint: retryHint(input),
	});

const retryHint = ({traceId, taskId}: ApproveInput): string =>
	`"hive landing retry --trace ${traceId} --task ${taskId}" runs them again. "hive proposal approve --without-checks" merges all the same.`;
