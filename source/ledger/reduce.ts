import type {StoredEvent} from '../domain/event.ts';
import {badIdMessage} from '../domain/event-ids.ts';
import type {Trace} from '../domain/trace.ts';
import {Draft} from './draft.ts';
import {foldBeekeeper, foldInvite, foldReports, foldSessionRequested} from './invite-events.ts';
import {foldIssueNoted, foldIssueTaken} from './issues.ts';
import {foldLandingChecked, foldLandingLeft, foldLandingRequested, settleLanding} from './landings.ts';
import {foldNote} from './notes.ts';
import {foldPlan, foldPlanAccepted, foldPlanEdited, foldPlanReturned} from './plan-events.ts';
import {
	foldPullAnswered,
	foldPullEnded,
	foldPullLeft,
	foldPullNews,
	foldPullPushed,
	foldPullRequested,
	foldPullSent,
	settlePullRequest,
} from './pull-requests.ts';
import {foldAnswer, foldAskEnded, foldQuestion} from './questions.ts';
import {countEmitted, foldConsume, foldFinished, foldRunRetry} from './run-events.ts';
import {foldCompleted, foldFeedback, foldReady, foldStatus} from './task-events.ts';
import {
	foldAdd,
	foldBased,
	foldBudget,
	foldFirstText,
	foldKill,
	foldMergeAbandoned,
	foldMergeStarted,
	foldProposal,
	foldPurged,
	foldRequest,
	foldRequested,
	foldSummary,
	foldTaken,
	foldTitle,
	foldUpdateFinished,
	foldUpdateStarted,
	foldVerdict,
} from './trace-events.ts';

/**
 * Folds one event: pure, total, and the same for every process that reads the log (docs/architecture.md §2).
 */
export const reduce = (trace: Trace, event: StoredEvent): Trace => applyEvents(trace, [event]).trace;

/** The result of a fold: the snapshot, and the tasks that newly became ready. */
export type Applied = {readonly trace: Trace; readonly ready: readonly string[]};

/**
 * Folds events in order. Events at or before the snapshot's sequence, and events of other traces, change
 * nothing.
 */
export const applyEvents = (trace: Trace, events: readonly StoredEvent[]): Applied => {
	const draft = new Draft(trace);
	for (const event of events) foldInto(draft, event);
	return {trace: draft.trace, ready: draft.ready};
};

/** Folds one event into a draft, in place. One draft can take many events. */
export const foldInto = (draft: Draft, event: StoredEvent): void => {
	const {trace} = draft;
	if (event.traceId !== trace.traceId || event.sequence <= trace.sequence) return;
	trace.sequence = event.sequence;
	trace.updatedAt = event.at;
	trace.createdAt ||= event.at;
	if (trace.purged !== undefined) return;
	const idProblem = badIdMessage(event);
	if (idProblem !== undefined) return draft.problem(event, idProblem);
	foldRequest(draft, event);
	if (event.energyBudget !== undefined) foldBudget(draft, event);
	folds.get(event.payload.kind)?.(draft, event);
	settleLanding(draft, event);
	settlePullRequest(draft);
	foldReports(draft, event);
	countEmitted(draft, event);
};

const foldSession = (draft: Draft, event: StoredEvent): void => {
	foldFirstText(draft, event);
	foldSessionRequested(draft, event);
};

const folds = new Map<string, (draft: Draft, event: StoredEvent) => void>([
	['task.plan', foldPlan],
	['plan.accepted', foldPlanAccepted],
	['plan.edited', foldPlanEdited],
	['plan.returned', foldPlanReturned],
	['task.ready', foldReady],
	['task.status', foldStatus],
	['task.completed', foldCompleted],
	['human.feedback', foldFeedback],
	['human.question', foldQuestion],
	['human.answer', foldAnswer],
	['ask.ended', foldAskEnded],
	['run.summary', foldNote],
	['review.note', foldNote],
	['context.note', foldNote],
	['energy.consume', foldConsume],
	['energy.add', foldAdd],
	['run.finished', foldFinished],
	['run.retry', foldRunRetry],
	['system.kill', foldKill],
	['trace.based', foldBased],
	['trace.taken', foldTaken],
	['trace.purged', foldPurged],
	['merge.started', foldMergeStarted],
	['merge.abandoned', foldMergeAbandoned],
	['landing.requested', foldLandingRequested],
	['landing.checked', foldLandingChecked],
	['landing.left', foldLandingLeft],
	['issue.taken', foldIssueTaken],
	['issue.noted', foldIssueNoted],
	['pull_request.requested', foldPullRequested],
	['pull_request.pushed', foldPullPushed],
	['pull_request.left', foldPullLeft],
	['pull_request.news', foldPullNews],
	['pull_request.sent', foldPullSent],
	['pull_request.answered', foldPullAnswered],
	['pull_request.ended', foldPullEnded],
	['update.started', foldUpdateStarted],
	['update.finished', foldUpdateFinished],
	['code.proposal', foldProposal],
	['code.proposal.isolated', foldProposal],
	['code.proposal.root', foldProposal],
	['verification.success', foldVerdict],
	['verification.failed', foldVerdict],
	['trace.title', foldTitle],
	['trace.summary', foldSummary],
	['feature.requested', foldRequested],
	['session.invite', foldInvite],
	['beekeeper.ready', foldBeekeeper],
	['bee.requested', foldFirstText],
	['session.requested', foldSession],
]);

/** The event kinds with a fold of their own, for tests. Other kinds can change a trace too. */
export const kindsWithFold: readonly string[] = [...folds.keys()];
