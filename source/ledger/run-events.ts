import {addEmitted, emittedNothing} from '../domain/emitted.ts';
import type {Payload, StoredEvent} from '../domain/event.ts';
import {isObjectId} from '../domain/ids.ts';
import {noChangePolicies} from '../domain/question.ts';
import {covers, nothingSpent, runCost, spend} from '../domain/reserve.ts';
import {type RunRecord, type RunStatus, runEventPrefix, type Trees} from '../domain/run.ts';
import {formatQuestions, waitAfter} from '../domain/run-questions.ts';
import type {Task} from '../domain/task.ts';
import {mayRunAgain} from './direct-run.ts';
import type {Draft, Mutable} from './draft.ts';
import {foldEvidence, lacksEvidence} from './evidence.ts';
import {foldSessionClaim, foldSessionEnd} from './invite-events.ts';
import {
	amountIn,
	instantOf,
	limitIn,
	numberOf,
	outsideIn,
	textOf,
	toolTroubleIn,
	usedIn,
	warningsIn,
} from './payload.ts';
import {isAnswered, resumeWork} from './questions.ts';
import {completeTask, moveTask, pauseTask} from './transitions.ts';
import {awaitsVerdict} from './verdicts.ts';

/**
 * `energy.consume`. With an `agentId` it is a claim (docs/architecture.md §3): it takes one unit and records
 * the run. Without a `trigger` it also moves the task to running. A claim that the state does not allow takes
 * nothing and starts nothing (docs/reliability.md I1, I7). A run of hive itself that verifies a proposal
 * takes no unit.
 */
export const foldConsume = (draft: Draft, event: StoredEvent): void => {
	const {payload} = event;
	const agentId = textOf(payload, 'agentId');
	const isFree = agentId !== '' && verifiesIn(payload) !== '';
	const amount = isFree ? 0 : Math.max(numberOf(payload, 'amount') ?? runCost, runCost);
	if (!covers(draft.trace, amount)) return draft.problem(event, 'energy.consume found too little honey');
	if (agentId === '') return foldSeeding(draft, event, amount);
	const refused = claimProblem(draft, event, agentId);
	if (refused !== undefined) return draft.problem(event, refused);
	draft.trace.energyRemaining -= amount;
	openRun(draft, event, agentId);
};

/** A consumption without a run: it seeds another trace, also with part of this trace's limits. */
const foldSeeding = (draft: Draft, event: StoredEvent, amount: number): void => {
	const {trace} = draft;
	const {maxCost, maxTokens, spent = nothingSpent} = trace;
	const [cost, tokens] = [
		amountIn(event.payload, 'cost', 'money'),
		amountIn(event.payload, 'tokens', 'whole'),
	];
	if (cost > 0 && (maxCost === undefined || maxCost - spent.cost < cost))
		return draft.problem(event, 'energy.consume found too little money');
	if (tokens > 0 && (maxTokens === undefined || maxTokens - spent.tokens < tokens))
		return draft.problem(event, 'energy.consume found too few tokens');
	trace.energyRemaining -= amount;
	if (maxCost !== undefined) trace.maxCost = maxCost - cost;
	if (maxTokens !== undefined) trace.maxTokens = maxTokens - tokens;
};

/**
 * Counts the events that a run emits, whether they have an effect or not. Events that the runtime emits about
 * the run are recognized by their id and not counted.
 */
export const countEmitted = (draft: Draft, {traceId, agentId = '', id, payload}: StoredEvent): void => {
	const run = draft.run(agentId);
	if (run === undefined || id.startsWith(runEventPrefix(traceId, agentId))) return;
	draft.putRun({...run, emitted: addEmitted(run.emitted ?? emittedNothing, payload)});
};

/**
 * The bee whose proposal the claim is to verify; the proposal is the triggering event. Empty for another
 * claim.
 */
const verifiesIn = (payload: Payload): string =>
	numberOf(payload, 'trigger') === undefined ? '' : textOf(payload, 'verifies');

const claimProblem = (draft: Draft, {payload}: StoredEvent, agentId: string): string | undefined => {
	if (draft.trace.killed) return `run ${agentId} was claimed after the trace was killed`;
	if (draft.run(agentId) !== undefined) return `run ${agentId} was claimed twice`;
	const taskId = textOf(payload, 'taskId');
	const forTask = taskId !== '' && numberOf(payload, 'trigger') === undefined;
	if (forTask && draft.task(taskId)?.status !== 'ready')
		return `run ${agentId} was claimed for ${taskId}, which is not ready`;
	return undefined;
};

const openRun = (draft: Draft, event: StoredEvent, agentId: string): void => {
	const {payload, at} = event;
	const taskId = textOf(payload, 'taskId');
	const trigger = numberOf(payload, 'trigger');
	const place = textOf(payload, 'place');
	draft.trace.place ??= place;
	const run: Mutable<RunRecord> = {
		agentId,
		bee: textOf(payload, 'bee'),
		place,
		status: 'running',
		announced: trigger !== undefined,
		replaced: false,
		startedAt: at,
	};
	if (taskId !== '') run.taskId = taskId;
	if (trigger !== undefined) run.trigger = trigger;
	const answers = textOf(payload, 'answers');
	if (answers !== '') run.answers = answers;
	const verifies = verifiesIn(payload);
	if (verifies !== '') run.verifies = verifies;
	if (verifies !== '' && isObjectId(payload.tree)) run.lands = payload.tree;
	if (payload.interactive === true) run.interactive = true;
	if (payload.workspace === 'isolated' || payload.workspace === 'root') run.workspace = payload.workspace;
	const task = trigger === undefined ? draft.task(taskId) : undefined;
	if (payload.fresh === true || task?.fresh) run.fresh = true;
	draft.putRun(run);
	foldSessionClaim(draft, event, agentId);
	if (task === undefined) return;
	const {fresh: _begun, ...rest} = task;
	draft.putTask({...rest, status: 'running', summary: '', updatedAt: at, agentId});
};

/** `run.finished`: closes the run's record, and moves the task if that run holds it. */
export const foldFinished = (draft: Draft, event: StoredEvent): void => {
	const {payload, at} = event;
	const run = draft.run(textOf(payload, 'agentId'));
	if (run === undefined || run.status !== 'running') return;
	const status = runStatus(textOf(payload, 'status'));
	const exitCode = numberOf(payload, 'exitCode') ?? -1;
	const summary = textOf(payload, 'summary');
	const closed: Mutable<RunRecord> = {...run, status, finishedAt: at, exitCode, summary};
	const trees = treesOf(payload.trees);
	if (trees !== undefined) closed.trees = trees;
	const warnings = warningsIn(payload);
	if (warnings.length > 0) closed.warnings = warnings;
	Object.assign(closed, outsideIn(payload), toolTroubleIn(payload));
	const noChange = noChangePolicies.find(policy => policy === payload.noChange);
	if (status === 'completed' && noChange !== undefined) closed.noChange = noChange;
	const until = status === 'failed' ? instantOf(payload, 'pausedUntil') : undefined;
	if (until !== undefined) {
		closed.pausedUntil = until;
		// Another run of its bee will answer the event.
		closed.replaced ||= run.trigger !== undefined;
	}
	const limit = status === 'completed' ? undefined : limitIn(payload);
	if (limit !== undefined) closed.limit = limit;
	draft.putRun(closed);
	const used = usedIn(payload);
	if (used !== undefined) draft.trace.spent = spend(draft.trace.spent, used);
	endTask(draft, event, closed);
	resumeWork(draft, event, closed);
	foldEvidence(draft, event, run);
	foldSessionEnd(draft, event, run.agentId);
};

/**
 * `run.retry`: replaces a direct run that failed, or is paused, by another run of its bee, which is requested
 * now. It has no effect on a run that is already replaced or has no event to answer.
 */
export const foldRunRetry = (draft: Draft, {payload}: StoredEvent): void => {
	const run = draft.run(textOf(payload, 'agentId'));
	if (run === undefined || !mayRunAgain(draft.trace, run)) return;
	const feedback = textOf(payload, 'feedback').trim();
	draft.putRun({...run, replaced: true, ...(feedback !== '' && {feedback})});
};

const treesOf = (raw: unknown): Trees | undefined => {
	const {before, after}: Partial<Record<keyof Trees, unknown>> = {...Object(raw)};
	return isObjectId(before) && isObjectId(after) ? {before, after} : undefined;
};

const runStatus = (text: string): RunStatus =>
	text === 'completed' || text === 'cancelled' ? text : 'failed';

/**
 * True if the proposal may have a judge, which only the reactor knows, or has to be verified. In old logs,
 * whose claims name no workspace, the run's own report was enough.
 */
const mayBeRefuted = ({workspace}: RunRecord, task: Task): boolean =>
	workspace !== undefined && (awaitsVerdict(task) || lacksEvidence(task));

const endTask = (draft: Draft, event: StoredEvent, run: RunRecord): void => {
	const {status, summary = '', pausedUntil: until, limit} = run;
	const task = run.taskId === undefined || run.trigger !== undefined ? undefined : draft.task(run.taskId);
	if (task?.status !== 'running' || task.agentId !== run.agentId) return;
	if (until !== undefined) {
		pauseTask(draft, event, task, {summary, until});
	} else if (limit !== undefined) {
		moveTask(draft, event, task, 'blocked', summary);
	} else if (status !== 'completed') {
		moveTask(draft, event, task, 'failed', formatQuestions(run) || summary || `run ${status}`);
	} else if (waitAfter(run) !== undefined || isAnswered(run)) {
		// The reactor announces the wait after the guard has passed. If all questions were answered early, the
		// task continues.
		return;
	} else if (run.completion !== undefined && task.review === 'none' && !mayBeRefuted(run, task)) {
		completeTask(draft, event, task, run.completion);
	}
};
