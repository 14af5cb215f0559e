import {runtimeAgent, type StoredEvent} from '../domain/event.ts';
import {verifications} from '../domain/evidence.ts';
import {isObjectId} from '../domain/ids.ts';
import {landingStrategies} from '../domain/landing.ts';
import {readParams} from '../domain/params.ts';
import {addHoney, raise, seedOf} from '../domain/reserve.ts';
import {type RunRecord, runEventId} from '../domain/run.ts';
import type {Proposal, Task, Verdict} from '../domain/task.ts';
import {maxEventTitleLength, titleFrom} from '../domain/title.ts';
import {emptyTrace, hasBegun, maxRequestBody, openRuns, titleOf} from '../domain/trace.ts';
import {traceBaseIn} from '../domain/trace-base.ts';
import type {Draft, Mutable} from './draft.ts';
import {cancelInvites, foldSessionRefund} from './invite-events.ts';
import {leaveLanding, withoutChecksIn} from './landings.ts';
import {amountIn, numberOf, textOf} from './payload.ts';
import {cancelUnfinished, unblockTasks} from './transitions.ts';
import {attended, judgedTask, verdictProblem} from './verdicts.ts';

/** The first `energyBudget` beside an envelope seeds the reserve. Honey that was added before is kept. */
export const foldBudget = ({trace}: Draft, {energyBudget = 0, maxCost, maxTokens}: StoredEvent): void => {
	if (trace.energyBudget !== undefined) return;
	const seed = seedOf({energyBudget, ...(maxCost && {maxCost}), ...(maxTokens && {maxTokens})});
	if (seed === undefined) return;
	Object.assign(trace, seed);
	trace.energyRemaining = addHoney(trace.energyRemaining, seed.energyBudget);
};

/** Adds honey to what remains, and money and tokens to their limits, if those are set. */
export const foldAdd = (draft: Draft, event: StoredEvent): void => {
	const {payload} = event;
	const {trace} = draft;
	const [amount, cost, tokens] = [
		amountIn(payload, 'amount', 'whole'),
		amountIn(payload, 'cost', 'money'),
		amountIn(payload, 'tokens', 'whole'),
	];
	if (amount + cost + tokens === 0) return draft.problem(event, 'energy.add needs a positive amount');
	trace.energyRemaining = addHoney(trace.energyRemaining, amount);
	if (trace.maxCost !== undefined) trace.maxCost = raise('cost', trace.maxCost, cost);
	if (trace.maxTokens !== undefined) trace.maxTokens = raise('tokens', trace.maxTokens, tokens);
	foldSessionRefund(draft, event);
	unblockTasks(draft, event);
};

/** `system.kill`: irreversible. A task whose merge is open is cancelled only if the merge is abandoned. */
export const foldKill = (draft: Draft, event: StoredEvent): void => {
	if (draft.trace.killed) return;
	draft.trace.killed = true;
	draft.trace.killReason = textOf(event.payload, 'reason') || 'Trace killed';
	cancelUnfinished(draft, event, draft.trace.killReason);
	cancelInvites(draft, event);
};

/**
 * `trace.taken`: the trace belongs to another checkout from now on, which also watches its open runs until
 * they end.
 */
export const foldTaken = (draft: Draft, {payload}: StoredEvent): void => {
	const place = textOf(payload, 'place');
	if (place === '') return;
	draft.trace.place = place;
	for (const run of openRuns(draft.trace)) draft.putRun({...run, place});
};

/**
 * `trace.based`: a person named the branch that the trace is merged into. The trace belongs to the checkout
 * that has the branch.
 */
export const foldBased = (draft: Draft, event: StoredEvent): void => {
	const {trace} = draft;
	const base = traceBaseIn(event.payload);
	const place = textOf(event.payload, 'place');
	if (base === undefined || base.branch === '' || place === '')
		return draft.problem(event, 'trace.based names no branch');
	if (hasBegun(trace) || trace.base !== undefined)
		return draft.problem(event, 'the base of the trace was named after it began');
	trace.base = base;
	trace.place ??= place;
};

/**
 * `trace.purged`: only the fact that the trace existed remains. It does not end open runs or an open merge:
 * with those it is refused.
 */
export const foldPurged = (draft: Draft, event: StoredEvent): void => {
	const {trace} = draft;
	if (openRuns(trace).length > 0 || trace.merge !== undefined)
		return draft.problem(event, 'the trace was purged out of turn');
	const {sequence, createdAt, updatedAt} = trace;
	for (const given of [
		...(['energyBudget', 'maxCost', 'maxTokens', 'spent', 'request', 'params'] as const),
		...(['planReview', 'plan', 'base'] as const),
		...(['landing', 'landingLeft', 'landed', 'issue', 'pullRequest'] as const),
	])
		delete trace[given];
	const purged = {killed: true, killReason: 'It was purged.', purged: sequence};
	Object.assign(trace, emptyTrace(trace.traceId), {sequence, createdAt, updatedAt}, purged);
};

export const foldMergeStarted = (draft: Draft, event: StoredEvent): void => {
	const {payload, sequence} = event;
	const task = draft.task(textOf(payload, 'taskId'));
	if (task?.status !== 'waiting_review' || draft.trace.merge !== undefined || draft.trace.killed) {
		return draft.problem(event, `merge of ${textOf(payload, 'taskId')} was claimed out of turn`);
	}
	const [message, summary] = [textOf(payload, 'message'), textOf(payload, 'summary')];
	const checkedBy = textOf(payload, 'checkedBy');
	const withoutChecks = withoutChecksIn(event);
	const strategy = landingStrategies.find(known => known === payload.strategy);
	draft.trace.merge = {
		taskId: task.taskId,
		tree: textOf(payload, 'tree'),
		by: textOf(payload, 'by'),
		...(message && {message}),
		...(summary && {summary}),
		...(payload.leave === true && {leave: true as const}),
		...(strategy !== undefined && strategy !== 'merge' && {strategy}),
		...(checkedBy && {checkedBy}),
		...(withoutChecks && {withoutChecks}),
		sequence,
	};
};

export const foldMergeAbandoned = (draft: Draft, event: StoredEvent): void => {
	const {merge} = draft.trace;
	if (merge === undefined || merge.taskId !== textOf(event.payload, 'taskId')) return;
	delete draft.trace.merge;
	// It did not wait for checks, so it does not wait now.
	if (merge.taskId !== undefined && merge.withoutChecks !== undefined)
		leaveLanding(draft, event, textOf(event.payload, 'reason'));
	if (draft.trace.killed) cancelUnfinished(draft, event, draft.trace.killReason);
};

export const foldUpdateStarted = (draft: Draft, event: StoredEvent): void => {
	const {trace} = draft;
	if (trace.killed || trace.merge !== undefined || openRuns(trace).length > 0)
		return draft.problem(event, 'an update of the worktree was claimed out of turn');
	const {payload, sequence} = event;
	trace.merge = {head: textOf(payload, 'head'), by: textOf(payload, 'by'), sequence};
};

export const foldUpdateFinished = ({trace}: Draft): void => {
	if (trace.merge?.taskId === undefined) delete trace.merge;
};

/**
 * Records a proposal as the task's newest. The feedback, verdict and evidence on the earlier one are dropped.
 * A proposal that a bee emits itself does not remove the need for verification. A proposal without a task is
 * stored with its run.
 */
export const foldProposal = (draft: Draft, event: StoredEvent): void => {
	const {payload, agentId} = event;
	const run = agentId === undefined ? undefined : draft.run(agentId);
	const task = draft.task(textOf(payload, 'taskId') || (run?.taskId ?? ''));
	if (task === undefined) return foldUnownedProposal(draft, event, run);
	const proposal = proposalIn(event);
	if (proposal.tree === undefined && task.proposal?.verification === 'required')
		proposal.verification = 'required';
	draft.putTask({
		...attended(isJudged(task) ? withoutJudgement(task) : task),
		proposalWorkspace: proposal.workspace,
		proposal,
		updatedAt: event.at,
	});
};

const foldUnownedProposal = (draft: Draft, event: StoredEvent, run: RunRecord | undefined): void => {
	if (run === undefined) return;
	const {verdict: _superseded, ...rest} = run;
	draft.putRun({...rest, proposal: proposalIn(event)});
};

const proposalIn = (event: StoredEvent): Mutable<Proposal> => {
	const {payload, sequence, agentId} = event;
	const workspace = payload.kind === 'code.proposal.root' ? 'root' : 'isolated';
	const proposal: Mutable<Proposal> = {sequence, workspace, summary: textOf(payload, 'summary')};
	if (agentId !== undefined) proposal.agentId = agentId;
	const isWhole = agentId !== undefined && event.id === runEventId(event.traceId, agentId, 'proposal');
	if (!isWhole || !isObjectId(payload.tree)) return proposal;
	proposal.tree = payload.tree;
	const verification = verifications.find(known => known === payload.verification);
	if (verification !== undefined) proposal.verification = verification;
	return proposal;
};

const isJudged = ({feedback, verdict, evidence}: Task): boolean =>
	feedback !== undefined || verdict !== undefined || evidence !== undefined;

const withoutJudgement = ({
	feedback: _answered,
	verdict: _superseded,
	evidence: _older,
	...rest
}: Task): Task => rest;

/** Only a verdict on the newest proposal counts (docs/architecture.md §6). */
export const foldVerdict = (draft: Draft, event: StoredEvent): void => {
	const {payload, agentId} = event;
	const run = agentId === undefined ? undefined : draft.run(agentId);
	const task = draft.task(textOf(payload, 'taskId') || (run?.taskId ?? ''));
	const judged = numberOf(payload, 'proposal') ?? run?.trigger;
	if (task === undefined) return foldUnownedVerdict(draft, event, run, judged);
	if (task.proposal === undefined) return;
	if (judged !== undefined && judged !== task.proposal.sequence) return;
	const problem = run === undefined ? undefined : verdictProblem(task, run);
	if (problem !== undefined) return draft.problem(event, problem);
	draft.putTask({...judgedTask(attended(task)), verdict: verdictIn(event, task.proposal)});
};

/** A verdict on the proposal of a run without a task; the final review shows it. */
const foldUnownedVerdict = (
	draft: Draft,
	event: StoredEvent,
	run: RunRecord | undefined,
	judged: number | undefined,
): void => {
	if (judged === undefined) return;
	const author = [...draft.trace.runs.values()].find(({proposal}) => proposal?.sequence === judged);
	if (author?.proposal === undefined) return;
	const work = {taskId: `the run ${author.agentId}`, proposal: author.proposal};
	const problem = run === undefined ? undefined : verdictProblem(work, run);
	if (problem !== undefined) return draft.problem(event, problem);
	draft.putRun({...author, verdict: verdictIn(event, author.proposal)});
};

const verdictIn = ({payload, sequence, agentId}: StoredEvent, {sequence: proposal}: Proposal): Verdict => ({
	sequence,
	proposal,
	passed: payload.kind === 'verification.success',
	summary: textOf(payload, 'summary'),
	...(agentId === undefined ? {} : {agentId}),
});

export const foldTitle = (draft: Draft, {payload}: StoredEvent): void => {
	const title = textOf(payload, 'title').trim();
	if (title === '') return;
	draft.trace.title = title;
	draft.trace.titled = true;
};

/**
 * Keeps the request that begins a trace: a signal with a text, before there are tasks and runs. Its params
 * and its review of plans are kept without a text too.
 */
export const foldRequest = ({trace}: Draft, {type, payload, sequence, agentId}: StoredEvent): void => {
	if (hasBegun(trace) || agentId === runtimeAgent) return;
	const isPlan = payload.kind === 'task.plan';
	if ((type === 'SIGNAL' || isPlan) && payload.planReview === 'required') trace.planReview = true;
	if (type !== 'SIGNAL') return;
	const params = trace.params ?? readParams(payload.params);
	if (params !== undefined) trace.params = params;
	const [title, body] = [textOf(payload, 'title').trim(), textOf(payload, 'body').trim()];
	if (title === '' && body === '') return;
	const isCut = body.length > maxRequestBody;
	trace.request = {
		sequence,
		title: title.slice(0, maxEventTitleLength),
		body: isCut ? body.slice(0, maxRequestBody).replace(/[\ud800-\udbff]$/, '') : body,
		...(isCut && {isCut}),
	};
};

export const foldRequested = (draft: Draft, {payload}: StoredEvent): void => {
	const title = textOf(payload, 'title').trim();
	if (!draft.trace.titled && title !== '') draft.trace.title = title;
};

/**
 * `bee.requested` and `session.requested`: if the trace has no title, it is made from the text of the
 * request.
 */
export const foldFirstText = ({trace}: Draft, {payload}: StoredEvent): void => {
	if (titleOf(trace) === '') trace.title = titleFrom(textOf(payload, 'body'));
};

export const foldSummary = (draft: Draft, {payload}: StoredEvent): void => {
	draft.trace.summary = textOf(payload, 'summary').trim();
};
