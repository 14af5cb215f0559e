import {isGateId} from '../../domain/ids.ts';
import {waitingPlan} from '../../domain/plan-review.ts';
import type {Holding} from '../../domain/reason.ts';
import {type Budget, exhausted, lacking, reserveOf} from '../../domain/reserve.ts';
import {isPausedRun} from '../../domain/run.ts';
import {awaitsPerson, isPaused, type Task, type TaskStatus, taskStatuses} from '../../domain/task.ts';
import {taskMarks} from '../../domain/task-marks.ts';
import {openRuns, runWithoutTasks, type Trace, titleOf} from '../../domain/trace.ts';
import {pendingInvites} from '../../ledger/invites.ts';
import {waitingRuns} from '../../ledger/questions.ts';
import {awaitingMerge} from '../../ledger/queue.ts';
import {invitesOf} from './invite.ts';
import {issueLink} from './issue.ts';
import {localMoment} from './local-time.ts';
import {taskName} from './name.ts';
import {formatPlanSize} from './plan.ts';
import {requestSentence, waitsAtForge} from './pull-request.ts';
import {paused, runSnapshot} from './run.ts';
import {atForge, awaitsDecision, guardRunning, isAtGuard, landingLabel, taskSnapshot} from './task.ts';
import {evidenceSnapshot, isAtVerification, verifying} from './verification.ts';

/** What a person has to act on. */
type Need = 'waiting_review' | 'failed' | 'blocked' | 'invited' | typeof paused;

type TraceStatus = TaskStatus | 'requested' | typeof paused;

/** Summary of a trace. */
export type TraceView = {
	readonly traceId: string;
	/** Empty when it has no name. */
	readonly title: string;
	readonly killed: boolean;
	/** Its progress. `requested` before anything has come of it, `cancelled` when it is killed. */
	readonly status: TraceStatus;
	/** The first thing that needs a person, even if bees are at work; absent if nothing does. */
	readonly needs?: Need;
	/** The one word that matters most. */
	readonly state:
		| TraceStatus
		| typeof guardRunning
		| typeof landingLabel
		| typeof verifying
		| typeof atForge
		| 'killed'
		| 'invited';
	/** Why nothing moves, in words; empty when something does. */
	readonly note: string;
	/** For a paused trace: when its first paused part goes on (UTC, RFC 3339), if known. */
	readonly pausedUntil?: string;
	/** Number of tasks, without the gates that hive adds. */
	readonly work: {readonly done: number; readonly total: number};
};

/** @param held what holds up a direct run, which no task shows */
export const traceView = (trace: Trace, held?: Holding): TraceView => {
	const needs = needOf(trace, held);
	const status = statusOf(trace, needs);
	const pausedUntil = status === paused ? pausedUntilOf(trace) : undefined;
	return {
		traceId: trace.traceId,
		title: titleOf(trace),
		killed: trace.killed,
		status,
		...(needs === undefined ? {} : {needs}),
		state: stateOf(trace, status, needs),
		note: noteOf(trace, status, held),
		...(pausedUntil === undefined ? {} : {pausedUntil}),
		work: {done: countWork(trace, completed), total: countWork(trace, any)},
	};
};

/** True if nothing of it goes on and no person is needed. */
export const isOver = (trace: Trace): boolean => {
	const needs = needOf(trace, undefined);
	const status = statusOf(trace, needs);
	return needs === undefined && (status === 'completed' || status === 'cancelled');
};

/** Queries of each frame use task marks, since a walk over all tasks would take as long as the frame. */
const tasksIn = (trace: Trace, status: TaskStatus): Iterable<Task> => trace.tasks.having(taskMarks([status]));

const isAny = (trace: Trace, status: TaskStatus): boolean => trace.tasks.hasAny(taskMarks([status]));

const completed = taskMarks(['completed']);
const any = taskMarks(taskStatuses);

const countWork = ({tasks}: Trace, marks: number): number => {
	let count = 0;
	for (const {taskId} of tasks.having(marks)) if (!isGateId(taskId)) count += 1;
	return count;
};

/**
 * Failures come before honey, as in the exit codes. A request whose planning failed has no task that shows
 * it.
 */
const needOf = (trace: Trace, held: Holding | undefined): Need | undefined => {
	if (trace.killed) return undefined;
	// People at the forge decide on what waits there.
	const isDecided = ![...tasksIn(trace, 'waiting_review')].some(
		task => awaitsDecision(trace, task) && !waitsAtForge(trace, task.taskId),
	);
	if (!isDecided || waitingRuns(trace).length > 0 || waitingPlan(trace) !== undefined)
		return 'waiting_review';
	if (isAny(trace, 'failed')) return 'failed';
	const blocked = [...tasksIn(trace, 'blocked')];
	if (blocked.some(task => !isPaused(task))) return 'blocked';
	if (held === 'honey' || held === 'configuration' || held === 'version') return 'blocked';
	if (awaitingMerge(trace).length > 0) return 'blocked';
	const planning = runWithoutTasks(trace);
	if (blocked.some(isPaused) || held === 'limit' || (planning && isPausedRun(planning))) return paused;
	if (planning?.status === 'failed') return 'failed';
	return pendingInvites(trace).length > 0 ? 'invited' : undefined;
};

const statusOf = (trace: Trace, needs: Need | undefined): TraceStatus => {
	if (trace.killed) return 'cancelled';
	if (trace.landing !== undefined) return 'waiting_review';
	if (openRuns(trace).length > 0 || isAny(trace, 'running')) return 'running';
	const nextStatus = (['ready', 'planned', 'waiting_review', 'completed', 'cancelled'] as const).find(one =>
		isAny(trace, one),
	);
	// A review that waits for no person waits for a bee.
	const work = nextStatus === 'waiting_review' && !isAtForge(trace) ? 'running' : nextStatus;
	// An invite holds nothing up.
	const held = needs === 'invited' ? undefined : needs;
	return held ?? work ?? runWithoutTasks(trace)?.status ?? 'requested';
};

const stateOf = (trace: Trace, status: TraceStatus, needs: Need | undefined): TraceView['state'] => {
	if (trace.killed) return 'killed';
	if (trace.landing !== undefined) return landingLabel;
	if (needs === undefined && status === 'waiting_review') return atForge;
	if (needs !== undefined || status !== 'running') return needs ?? status;
	if (isAtVerifications(trace)) return verifying;
	return isAtGuards(trace) ? guardRunning : status;
};

/** True if a review of it waits for people at the forge. */
const isAtForge = (trace: Trace): boolean =>
	[...tasksIn(trace, 'waiting_review')].some(({taskId}) => waitsAtForge(trace, taskId));

/** True if only verifications of the waiting tasks run. */
const isAtVerifications = (trace: Trace): boolean => {
	const waiting = [...trace.tasks.having(underWay)].filter(
		task => task.status === 'running' || !awaitsPerson(task),
	);
	return (
		waiting.length > 0 &&
		waiting.every(task => isAtVerification(trace, task)) &&
		openRuns(trace).every(({verifies}) => verifies !== undefined)
	);
};

const underWay = taskMarks(['running', 'waiting_review']);

/** True if only guards that keep tasks from review run. */
const isAtGuards = (trace: Trace): boolean => {
	const running = [...tasksIn(trace, 'running')];
	const guarded = new Set(running.map(({proposal}) => proposal?.sequence));
	return (
		running.length > 0 &&
		running.every(task => isAtGuard(trace, task)) &&
		openRuns(trace).every(({trigger}) => guarded.has(trigger))
	);
};

const noteOf = (trace: Trace, status: TraceStatus, held: Holding | undefined): string => {
	if (trace.killed) return because('Killed', trace.killReason);
	switch (status) {
		case 'failed':
			return because('Failed', reasonIn(trace, 'failed'));
		case 'paused':
			return because(formatPause(trace), reasonIn(trace, 'blocked', isPaused));
		case 'blocked': {
			const reason = reasonIn(trace, 'blocked', task => !isPaused(task));
			return because('Blocked', reason || lackOf(trace, held));
		}
		default: {
			const plan = waitingPlan(trace);
			if (plan !== undefined) return `Its plan of ${formatPlanSize(plan.tasks)} waits for you`;
			return status === 'waiting_review' && isAtForge(trace) ? formatAtForge(trace) : '';
		}
	}
};

/** `Pull request #12 waits at the forge`. */
const formatAtForge = (trace: Trace): string =>
	requestSentence(trace, trace.pullRequest?.taskId ?? '').replace(/\.$/, '');

/** What holds up a trace that has no blocked task. */
const lackOf = (trace: Trace, held: Holding | undefined): string => {
	if (held === 'version') return 'Its hive has to be updated';
	if (held === 'configuration') return 'A bee cannot be run';
	const [waiting] = held === 'honey' ? [] : awaitingMerge(trace);
	return waiting === undefined
		? lacking[exhausted(trace) ?? 'honey'].status
		: `${taskName(waiting)} waits for the merge of its branch`;
};

const formatPause = (trace: Trace): string => {
	const until = pausedUntilOf(trace);
	return until === undefined ? 'Paused' : `Paused until ${localMoment(until)}`;
};

/**
 * When its first paused part goes on (UTC, RFC 3339). Undefined if nothing is paused, or only runs that no
 * task shows.
 */
const pausedUntilOf = (trace: Trace): string | undefined => {
	const planning = runWithoutTasks(trace);
	const times = [...tasksIn(trace, 'blocked')].filter(isPaused).map(({pausedUntil}) => pausedUntil);
	if (planning && isPausedRun(planning)) times.push(planning.pausedUntil);
	const [first] = times.filter(until => until !== undefined).sort();
	return first;
};

/** The summary of such a task; for a request without tasks, of its newest run. */
const reasonIn = (trace: Trace, status: TaskStatus, isMeant = (_: Task): boolean => true): string => {
	for (const task of tasksIn(trace, status)) if (isMeant(task)) return task.summary || taskName(task);
	return runWithoutTasks(trace)?.summary ?? '';
};

const because = (word: string, reason: string): string => (reason === '' ? word : `${word}: ${reason}`);

/**
 * Returns one whole trace, as `status --json` prints it.
 *
 * @param budget units of honey that the colony seeds a trace with
 */
export const traceSnapshot = (trace: Trace, budget: Budget) => ({
	traceId: trace.traceId,
	title: titleOf(trace),
	...reserveOf(trace, budget),
	killed: trace.killed,
	place: trace.place,
	...(trace.base && {base: trace.base}),
	issue: issueLink(trace),
	tasks: [...trace.tasks.values()].map(task => ({
		...taskSnapshot(trace.traceId, task),
		evidence: evidenceSnapshot(task.evidence),
	})),
	runs: [...trace.runs.values()].map(runSnapshot),
	invites: invitesOf([trace], 'all'),
	problems: trace.problems,
});
