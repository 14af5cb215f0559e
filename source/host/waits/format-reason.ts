import {verifierRole} from '../../domain/evidence.ts';
import {branchOf} from '../../domain/ids.ts';
import type {NewerHive} from '../../domain/machine-status.ts';
import type {Reason} from '../../domain/reason.ts';
import {lacking} from '../../domain/reserve.ts';
import {formatQuestionsInline} from '../../domain/run-questions.ts';
import {statusWords} from '../../domain/status-words.ts';
import type {Task, TaskStatus} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {runningCheck} from '../../ledger/landing-queue.ts';
import {formatLack} from '../../reactor/decide-tasks.ts';
import {localMoment} from '../views/local-time.ts';
import {nameWithId} from '../views/name.ts';
import {isAtGuard} from '../views/task.ts';
import {isAtVerification, verifying} from '../views/verification.ts';

export const noReactor = 'a reactor: none is alive for it in this checkout';
/** What a direct run waits for. It completes a sentence such as "waits for …". */
export const formatPendingReason = (reason: Reason): string => {
	switch (reason.for) {
		case 'configuration':
			return formatLack(reason);
		case 'limit':
			return formatLimit(reason);
		case 'landing':
			return 'the landing of its trace';
		case 'honey':
			return lacking[reason.lacks].words;
		case 'merge':
			return formatMergeReason(reason, '');
		case 'run':
			return formatRunReason(reason);
		default:
			return isMachineReason(reason) ? formatMachineReason(reason) : 'the requests before it';
	}
};

/** What the task waits for, as the end of a sentence that begins with the task. */
export const formatReason = (reason: Reason, trace: Trace, task: Task): string => {
	switch (reason.for) {
		case 'dependency':
			return `${nameWithId(trace, reason.taskId)}, which is ${statusOf(trace, reason)}`;
		case 'left':
			return `the merge of ${branchOf(trace.traceId)}, which ${nameWithId(trace, reason.taskId)} left unmerged`;
		case 'plan':
			return 'you to accept its plan';
		case 'queue':
			return `${nameWithId(trace, reason.taskId)} is before it in the queue and is ${statusOf(trace, reason)}`;
		case 'configuration':
			return formatLack(reason);
		case 'limit':
			return formatLimit(reason);
		case 'merge':
			return formatMergeReason(reason, task.taskId);
		case 'landing':
			return formatLandingReason(trace);
		case 'honey':
			return lacking[reason.lacks].words;
		case 'run':
			if (reason.run.verifies !== undefined)
				return `its verification (${reason.run.agentId}), at work since ${localMoment(reason.run.startedAt)}`;
			return isGuard(task, reason.run)
				? `its guard ${reason.run.bee} (${reason.run.agentId}), at work since ${localMoment(reason.run.startedAt)}`
				: formatRunReason(reason);
		case 'pending':
			if (reason.bee === verifierRole) return 'its verification, which has still to begin';
			return isGuard(task, reason)
				? `its guard ${reason.bee}, which has still to begin`
				: `a run of ${reason.bee}, which event ${reason.trigger} asks for`;
		case 'review':
			return formatReviewReason(reason, trace, task);
		case 'retry':
			return formatRetryReason(reason);
		default:
			return formatMachineReason(reason);
	}
};

/** The end of a sentence that begins with the waiting run or task. */
const formatLimit = ({until}: Extract<Reason, {for: 'limit'}>): string =>
	`the limit of its tool, which passes at ${localMoment(until)}`;

const formatRunReason = ({run}: Extract<Reason, {for: 'run'}>): string =>
	`the run ${run.agentId} of ${run.bee}, open since ${localMoment(run.startedAt)}`;

/** A reason about where a run would take place, with or without a task. */
type MachineReason = Extract<Reason, {for: 'workspace' | 'slot' | 'reactor' | 'version'}>;

export const isMachineReason = (reason: Reason): reason is MachineReason =>
	['workspace', 'slot', 'reactor', 'version'].includes(reason.for);

/** The end of a sentence that begins with the waiting run or task. */
export const formatMachineReason = (reason: MachineReason): string => {
	switch (reason.for) {
		case 'workspace':
			return `its workspace, which ${reason.bee} (${reason.agentId}) of ${reason.traceId} is in`;
		case 'slot':
			return `its turn: ${reason.taken} of ${reason.total} agents running (defaults.max_parallel_runs)`;
		case 'version':
			return `an update: ${formatVersions(reason)}`;
		case 'reactor':
			return reason.checkout === undefined
				? noReactor
				: `the reactor of the checkout ${reason.checkout}, where the trace belongs`;
	}
};

/** A clause: a newer hive has worked on the log, and which hive is older. */
export const formatVersions = ({newer, version, older}: NewerHive): string =>
	`hive${version === undefined ? '' : ` ${version}`} at ${newer} has worked on this log, and the hive ${older === undefined ? 'of this machine' : `at ${older}`} is older`;

const statusOf = (trace: Trace, {taskId, status}: {taskId: string; status: TaskStatus}): string => {
	const task = trace.tasks.get(taskId);
	if (task === undefined) return statusWords(status);
	if (isAtVerification(trace, task)) return verifying;
	return isAtGuard(trace, task) ? 'at its guard' : statusWords(status);
};

/** True if the run is a guard of the task's newest proposal, open or pending. */
const isGuard = ({proposal}: Task, {trigger}: {readonly trigger?: number}): boolean =>
	trigger !== undefined && trigger === proposal?.sequence;

/** The end of a sentence that begins with the waiting task. */
const formatLandingReason = (trace: Trace): string => {
	const merge = `its merge with ${trace.landing?.base || 'the base'}`;
	const check = runningCheck(trace);
	return check === undefined
		? `its landing: the checks of ${merge} have to pass first`
		: `its landing: the checks of ${merge} run (${check.agentId}), since ${localMoment(check.startedAt)}`;
};

const formatMergeReason = ({by, taskId}: Extract<Reason, {for: 'merge'}>, waiting: string): string => {
	if (taskId === undefined) return `the merge of the base into the worktree that ${by} started`;
	return `the merge that ${by} started${taskId === waiting ? '' : ` for ${taskId}`}`;
};

const formatReviewReason = (
	{review, receivers, waitsFor}: Extract<Reason, {for: 'review'}>,
	{runs, landingLeft}: Trace,
	{taskId, unattended, agentId = ''}: Task,
): string => {
	if (landingLeft?.taskId === taskId) return `to decide again, since it did not land: ${landingLeft.reason}`;
	if (waitsFor === 'question') return `to answer: ${formatQuestionsInline(runs.get(agentId) ?? {})}`;
	if (waitsFor === 'no_change') return 'to accept it as done although it changed nothing, or to send it back';
	if (review !== 'none') return 'to approve it, or to reject it with what should be different';
	if (receivers.length === 0 || unattended) return 'to approve it';
	return `to approve it; ${receivers.join(' or ')} may complete it first`;
};

const formatRetryReason = ({run}: Extract<Reason, {for: 'retry'}>): string => {
	if (run === undefined) return 'to retry it; until then it stays failed';
	const {agentId, bee, summary, verifies} = run;
	if (verifies !== undefined) return `to have it verified again; ${agentId} failed: ${summary ?? ''}`;
	return `to retry the run ${agentId} of ${bee}, which failed${summary ? `: ${summary.split('\n', 1)[0]}` : ''}`;
};
