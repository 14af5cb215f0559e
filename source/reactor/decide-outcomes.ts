import {type Bee, type Colony, completes, judges} from '../colony/colony.ts';
import {formatEvidence} from '../domain/evidence.ts';
import {isFree, type Reason} from '../domain/reason.ts';
import type {RunRecord} from '../domain/run.ts';
import {formatQuestions, waitAfter} from '../domain/run-questions.ts';
import {awaitsPerson, isReviewed, type Task, type Workspace} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import type {Trace} from '../domain/trace.ts';
import {guardFailure, repeatableRun} from '../ledger/direct-run.ts';
import {isVerified, lacksEvidence} from '../ledger/evidence.ts';
import {isUnowned} from '../ledger/unowned.ts';
import {awaitsVerdict, isPassed} from '../ledger/verdicts.ts';
import {awaitedReasons} from './decide-pending.ts';
import {announcement, completion, personWait, unattended} from './runtime-events.ts';
import {heldReasons, type Situation} from './situation.ts';
import type {Step} from './steps.ts';

/** Decides the next status of each task whose run ended well (docs/architecture.md §6). */
export const decideOutcomes = (situation: Situation): Step[] =>
	[...situation.trace.tasks.having(underWay)].flatMap(task => {
		const run = runOf(situation.trace, task);
		if (run?.status !== 'completed') return [];
		if (task.status === 'running' && isFree(runningReasons(situation, task)))
			return [outcome(situation, task, run)];
		if (isConfirmed(situation, task, run)) return [completed(situation, task, run)];
		return isLeft(situation, task) ? [unattended(task, waitingSummary(situation, task, run))] : [];
	});

const underWay = taskMarks(['running', 'waiting_review']);

const runOf = (trace: Trace, {agentId}: Task): RunRecord | undefined =>
	agentId === undefined ? undefined : trace.runs.get(agentId);

const outcome = (situation: Situation, task: Task, run: RunRecord): Step => {
	const waitsFor = waitAfter(run);
	if (waitsFor === 'question') return personWait(task, waitsFor, formatQuestions(run));
	if (waitsFor === 'no_change') return personWait(task, waitsFor, run.summary ?? '');
	if (task.review === 'required')
		return announcement(task.taskId, 'waiting_review', waitingSummary(situation, task, run));
	if (!lacksEvidence(task) && !isGated(situation, task, run)) return completed(situation, task, run);
	return isFree(receiverReasons(situation, task))
		? unattended(task, waitingSummary(situation, task, run))
		: announcement(task.taskId, 'waiting_review', waitingSummary(situation, task, run, {isAttended: true}));
};

/**
 * True if the task has to wait for a bee before it completes. The run's own isolated proposal waits for a bee
 * that completes tasks. So does the proposal of an earlier run, if this run changed nothing, until a guard
 * has passed it. A task that its run reported as complete waits only for a guard.
 */
const isGated = ({colony}: Situation, task: Task, {agentId, completion: reported}: RunRecord): boolean => {
	if (task.proposal?.workspace !== 'isolated') return false;
	if (reported !== undefined)
		return awaitsVerdict(task) && judgesOf(colony, task.proposal.workspace).length > 0;
	return receiversOf(colony).length > 0 && (task.proposal.agentId === agentId || awaitsVerdict(task));
};

/**
 * True if its run reported it as complete and a guard has since passed the proposal. Also true if it waited
 * only for verification, which succeeded.
 */
const isConfirmed = (situation: Situation, task: Task, run: RunRecord): boolean => {
	if (task.status !== 'waiting_review' || isReviewed(task) || lacksEvidence(task)) return false;
	if (run.completion !== undefined && isPassed(task)) return true;
	return isVerified(task) && !isGated(situation, task, run);
};

/** True if it waits for a commit gate and no bee looks at it or is about to. */
const isLeft = (situation: Situation, task: Task): boolean =>
	task.status === 'waiting_review' && !awaitsPerson(task) && isFree(receiverReasons(situation, task));

const completed = ({machine}: Situation, task: Task, {summary = '', completion: reported}: RunRecord): Step =>
	completion(task, reported ?? {summary, commit: ''}, machine.now);

/** Bees that give verdicts on proposals of that workspace. */
const judgesOf = ({bees}: Colony, workspace: Workspace): Bee[] =>
	[...bees.values()].filter(bee => judges(bee, workspace));

/** Roles of the bees that publish `task.completed`. */
const receiversOf = ({bees}: Colony): string[] => [...bees.values()].filter(completes).map(({role}) => role);

/**
 * Yields what a running task waits for: its run, or the guard of its proposal if a person reviews it
 * afterwards.
 */
export function* runningReasons(situation: Situation, task: Task): Generator<Reason, undefined> {
	const run = runOf(situation.trace, task);
	if (run?.status === 'running') yield {for: 'run', run};
	else if (task.review === 'required' || (run && waitAfter(run))) yield* guardReasons(situation, task);
	yield* heldReasons(situation);
}

/** Runs that look at the newest proposal of the task, and pending ones. */
function* guardReasons(situation: Situation, {proposal}: Task): Generator<Reason, undefined> {
	if (proposal !== undefined) yield* directReasons(situation, ({trigger}) => trigger === proposal.sequence);
}

/** Runs that look at the newest proposal of the task or answer its verdict, and pending ones. */
function* receiverReasons(situation: Situation, {taskId, proposal}: Task): Generator<Reason, undefined> {
	yield* directReasons(
		situation,
		run => run.taskId === taskId && run.trigger !== undefined && run.trigger >= (proposal?.sequence ?? 0),
	);
}

type DirectRun = {readonly taskId?: string; readonly trigger?: number};

function* directReasons(
	situation: Situation,
	concerns: (run: DirectRun) => boolean,
): Generator<Reason, undefined> {
	for (const run of situation.open.filter(concerns)) yield {for: 'run', run};
	for (const run of situation.machine.pending.filter(concerns)) yield* awaitedReasons(situation, run);
}

/** Yields what a task in review waits for: the merge that takes it, else its guard and a person. */
export function* reviewReasons(situation: Situation, task: Task): Generator<Reason, undefined> {
	const {trace, colony, merge} = situation;
	if ((trace.merge ?? trace.landing)?.taskId === task.taskId) return yield* merge;
	yield* receiverReasons(situation, task);
	if (task.review === 'final')
		for (const run of situation.open) if (isUnowned(trace, run)) yield {for: 'run', run};
	yield* repeatReasons(trace, task);
	yield {for: 'review', review: task.review, receivers: receiversOf(colony), ...waitOf(task)};
}

const waitOf = ({waitsFor}: Task) => (waitsFor === undefined ? {} : {waitsFor});

/** A guard that failed gave no verdict. A person can repeat it before the work passes its gate. */
export function* repeatReasons(trace: Trace, task: Task): Generator<Reason, undefined> {
	const run = repeatableRun(trace, task);
	if (run !== undefined) yield {for: 'retry', run};
}

/** The verdict and evidence so far, otherwise the run's own summary. */
const waitingSummary = (
	{trace}: Situation,
	task: Task,
	{summary = ''}: RunRecord,
	{isAttended = false}: {readonly isAttended?: boolean} = {},
): string => {
	const {review, proposal, verdict} = task;
	const evidence = isAttended && task.evidence === undefined ? '' : evidenceSummary(task);
	if (verdict !== undefined)
		return sentences(`${verdict.passed ? 'Guard passed' : 'Guard failed'}: ${verdict.summary}`, evidence);
	const failure = guardFailure(trace, task);
	const noVerdict = failure === undefined ? 'no guard gave a verdict' : `no verdict: ${failure}`;
	return review === 'required' && proposal !== undefined
		? sentences(`${summary} (${noVerdict})`.trim(), evidence)
		: sentences(evidence, summary);
};

/**
 * Evidence that people should know before they decide. A success is left out, since it is shown beside the
 * task.
 */
const evidenceSummary = (task: Task): string => {
	if (task.evidence?.passed || task.proposal?.verification === undefined) return '';
	return task.evidence === undefined ? 'Not verified' : capitalized(formatEvidence(task.evidence));
};

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const sentences = (...texts: readonly string[]): string => texts.filter(Boolean).join('. ');
