import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type OpenMerge, openRuns, type Trace} from '../domain/trace.ts';
import {mergeOnRecord} from '../ledger/final-gate.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {type Approved, type ApproveInput, findWaiting, strategyOf} from './approval.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseElsewhere} from './decide-and-append.ts';
import {findMergeable} from './find-mergeable.ts';
import {completeEmptyGate, finishMerge} from './finish-merge.ts';
import {finishUpdate} from './finish-update.ts';
import {holdRecordedBase} from './hold-base.ts';
import {withMergeLock} from './merge-lock.ts';
import {landingRequest, overrideOf} from './request-landing.ts';
import {isShared} from './share-base.ts';

/**
 * Merges at a final gate in the order of docs/reliability.md §4. The merge is claimed, then made. Its
 * completion is appended last. A merge that a crash left open is ended first, so that an interrupted call can
 * be repeated.
 */
export const mergeGate = (context: ActionContext, input: ApproveInput): Promise<Outcome<Approved>> =>
	withMergeLock(context, async () => {
		const trace = await loadTrace(context.bus, input.traceId);
		const elsewhere = refuseElsewhere(trace, context.checkout);
		if (elsewhere !== undefined) return elsewhere;
		await holdRecordedBase(context, input.traceId);
		const {merge: open} = trace;
		if (open?.taskId !== undefined) {
			const ended = await finishMerge(context, trace, open);
			if (ended.ok && ended.value.taskId === input.taskId) return ended;
		} else if (open !== undefined) {
			await finishUpdate(context, trace, open);
		}
		return claimAndMerge(context, input);
	});

/** Maximum number of attempts at a merge into a shared base. Before each, its upstream has moved again. */
const maxAttempts = 5;

/** Merges. The same work is merged again if a shared base has followed its upstream meanwhile. */
const claimAndMerge = async (context: ActionContext, input: ApproveInput): Promise<Outcome<Approved>> => {
	let work: string | undefined;
	for (let attempt = 1; ; attempt++) {
		const claimed = await claimMerge(context, work === undefined ? input : {...input, tree: undefined}, work);
		if (!claimed.ok) return claimed;
		const {trace, made} = claimed.value;
		if (made === undefined) return completeEmptyGate(context, trace, input);
		const merged = await finishMerge(context, trace, made.merge);
		const isStale = !merged.ok && merged.refusal.code === 'stale_view';
		if (!isStale || !isShared(context.colony) || input.merge === false || attempt === maxAttempts)
			return merged;
		work = made.work;
	}
};

/**
 * Claims the merge with `merge.started`; no merge in the result when the base already has all of the work.
 *
 * @param work the tree of the work that an earlier attempt was approved for; other work is refused
 */
const claimMerge = async (
	context: ActionContext,
	input: ApproveInput,
	work: string | undefined,
): Promise<Outcome<{trace: Trace; made?: {merge: OpenMerge; work: string}}>> => {
	const {traceId, taskId, summary, mergeMessage: message} = input;
	const trace = await loadTrace(context.bus, traceId);
	const waiting = findWaiting(trace, input);
	if (!waiting.ok) return waiting;
	const found = await findMergeable(context, input, mergeOnRecord(trace) === 'some');
	if (!found.ok) return found;
	const shown = found.value;
	if (shown === undefined) return accepted({trace});
	if (work !== undefined && shown.work !== work) return refuse('stale_view');
	context.failpoint('merge.planned');
	const strategy = strategyOf(context, input);
	const decided = await decideAndAppend(context, traceId, now => {
		const still = findWaiting(now, input);
		if (!still.ok) return still;
		const [open] = openRuns(now).filter(({lands}) => lands === undefined);
		if (open !== undefined) {
			return refuse('run_open', {message: `The run ${open.agentId} of ${open.bee} is still open.`});
		}
		const texts = {...(summary && {summary}), ...(message && {message})};
		const how = {
			...(input.merge === false && {leave: true}),
			...(strategy !== 'merge' && input.merge !== false && {strategy}),
			...(input.withoutChecks && input.merge !== false && {withoutChecks: overrideOf(input)}),
		};
		const payload = {kind: 'merge.started', taskId, tree: shown.tree, by: context.by, ...texts, ...how};
		const start = {agentId: context.by, type: 'SIGNAL' as const, payload};
		if (how.withoutChecks === undefined) return accepted({event: start, value: undefined});
		return accepted({
			event: landingRequest(context, input, shown, strategy),
			next: [start],
			value: undefined,
		});
	});
	if (!decided.ok) return decided;
	context.failpoint('merge.claimed');
	const claimed = await loadTrace(context.bus, traceId);
	const {merge} = claimed;
	return merge?.taskId !== undefined && merge.sequence === decided.value.sequence
		? accepted({trace: claimed, made: {merge, work: shown.work}})
		: refuse('conflict');
};
