import {formatInstallHint} from '../../colony/agent-tools.ts';
import {verifierRole} from '../../domain/evidence.ts';
import {branchOf} from '../../domain/ids.ts';
import type {NewerHive} from '../../domain/machine-status.ts';
import type {Reason} from '../../domain/reason.ts';
import {lacking, topUpCommand} from '../../domain/reserve.ts';
import {isWaitingRun, type RunRecord} from '../../domain/run.ts';
import {formatQuestionsInline, openQuestions} from '../../domain/run-questions.ts';
import {statusWords} from '../../domain/status-words.ts';
import type {Task, TaskStatus} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {landingChecks} from '../../ledger/landing-queue.ts';
import type {Decision} from '../../reactor/decide.ts';
import {formatLack} from '../../reactor/decide-tasks.ts';
import type {PendingRun} from '../../reactor/machine.ts';
import {answerCommandOf} from '../views/inbox-entry.ts';
import {localMoment} from '../views/local-time.ts';
import {nameWithId} from '../views/name.ts';
import {isAtGuard} from '../views/task.ts';
import {isAtVerification, verifying} from '../views/verification.ts';

/** One thing that a task waits for now, in words. */
export type Wait = {
	readonly for:
		| 'dependency'
		| 'queue'
		| 'honey'
		| 'workspace'
		| 'places'
		| 'run'
		| 'person'
		| 'reactor'
		| 'merge'
		| 'configuration'
		| 'limit';
	readonly what: string;
	/** The next step, if a person can take one. */
	readonly next?: string;
};

/** The reasons in words, without duplicates. */
export const waitsOf = (trace: Trace, task: Task, reasons: readonly Reason[]): readonly Wait[] =>
	eachOnce(
		reasons.map(reason =>
			reason.for === 'run' && isWaitingRun(reason.run)
				? answerWait(reason.run)
				: {
						for: kinds[reason.for],
						what: formatReason(reason, trace, task),
						...nextOf(
							reason.for === 'landing' ? nextOfLanding(trace) : nextStep(reason, trace.traceId, task.taskId),
						),
					},
		),
	);

/** What holds up each direct run. If nothing does, that it has yet to begin. */
export const requestWaits = (trace: Trace, decision: Decision): readonly Wait[] =>
	eachOnce(
		decision.waits.runs().map(({run, reasons: [reason]}) =>
			reason === undefined
				? {for: 'run', what: `${run.bee}, which has still to begin`}
				: {
						for: kinds[reason.for],
						what: `${run.bee}: ${formatPendingReason(reason)}`,
						...nextOf(nextOfPending(reason, trace, run)),
					},
		),
	);

/** The question that a run without a task asks a person. */
export const questionWait = (run: RunRecord): Wait => ({
	for: 'person',
	what: `to answer: ${formatQuestionsInline(run)}`,
	next: `hive bee retry ${run.agentId} --feedback "<answer>"`,
});

/** An open run that waits for a person's answer. */
export const answerWait = (run: RunRecord): Wait => ({
	for: 'person',
	what: `to answer: ${formatQuestionsInline(run)}`,
	...nextOf(openQuestions(run).map(({questionId}) => answerCommandOf(questionId))[0]),
});

const noReactor = 'a reactor: none is alive for it in this checkout';
const startReactor = 'hive run';

/** The same waits while the asking face's reactor is starting: then there is no next step. */
export const whileStarting = (waits: readonly Wait[]): readonly Wait[] =>
	waits.map(wait => {
		if (!wait.what.endsWith(noReactor)) return wait;
		const {next: _, ...starting} = {...wait, what: wait.what.replace(noReactor, 'a reactor: it is starting')};
		return starting;
	});

const eachOnce = (waits: readonly Wait[]): readonly Wait[] => [
	...new Map(waits.map(wait => [wait.what, wait])).values(),
];

const nextOf = (next: string | undefined): Pick<Wait, 'next'> => (next === undefined ? {} : {next});

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

/** The step that a person can take. */
export const nextOfPending = (
	reason: Reason,
	trace: Trace,
	{trigger, bee}: PendingRun,
): string | undefined => {
	if (reason.for === 'limit') {
		const last = [...trace.runs.values()].findLast(run => run.trigger === trigger && run.bee === bee);
		return last && `hive bee retry ${last.agentId} goes on at once`;
	}
	if (reason.for === 'configuration' && reason.lack === 'program')
		return `install ${formatInstallHint(reason.name)}, or name another tool in .hive/bees; it begins then`;
	return nextStep(reason, trace.traceId, '');
};

const kinds: Readonly<Record<Reason['for'], Wait['for']>> = {
	dependency: 'dependency',
	left: 'person',
	queue: 'queue',
	configuration: 'configuration',
	merge: 'merge',
	landing: 'merge',
	honey: 'honey',
	limit: 'limit',
	run: 'run',
	pending: 'run',
	workspace: 'workspace',
	slot: 'places',
	reactor: 'reactor',
	version: 'reactor',
	review: 'person',
	retry: 'person',
};

/** What the task waits for, as the end of a sentence that begins with the task. */
const formatReason = (reason: Reason, trace: Trace, task: Task): string => {
	switch (reason.for) {
		case 'dependency':
			return `${nameWithId(trace, reason.taskId)}, which is ${statusOf(trace, reason)}`;
		case 'left':
			return `the merge of ${branchOf(trace.traceId)}, which ${nameWithId(trace, reason.taskId)} left unmerged`;
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

/** The next step for a person. */
export const formatUpdateStep = ({older}: NewerHive): string =>
	`update hive ${older === undefined ? 'on this machine' : `at ${older}`}, and start its reactor again`;

const statusOf = (trace: Trace, {taskId, status}: {taskId: string; status: TaskStatus}): string => {
	const task = trace.tasks.get(taskId);
	if (task === undefined) return statusWords(status);
	if (isAtVerification(trace, task)) return verifying;
	return isAtGuard(trace, task) ? 'at its guard' : statusWords(status);
};

/** True if the run is a guard of the task's newest proposal, open or pending. */
const isGuard = ({proposal}: Task, {trigger}: {readonly trigger?: number}): boolean =>
	trigger !== undefined && trigger === proposal?.sequence;

/** The step that a person can take. */
const nextStep = (reason: Reason, traceId: string, taskId: string): string | undefined => {
	const act = (subcommand: string, task = taskId) => `hive ${subcommand} --trace ${traceId} --task ${task}`;
	switch (reason.for) {
		case 'dependency':
			return reason.status === 'failed' ? act('task retry', reason.taskId) : undefined;
		case 'left':
			return `${act('task start')} starts it all the same`;
		case 'queue':
			return `${act('task start')} starts it out of turn`;
		case 'honey':
			return topUpCommand(traceId, reason.lacks);
		case 'run':
			return `hive logs ${reason.run.agentId} --follow`;
		case 'reactor':
			return reason.checkout === undefined ? startReactor : undefined;
		case 'version':
			return formatUpdateStep(reason);
		case 'review':
			return reason.waitsFor === 'question'
				? act('task retry').concat(' --feedback "<answer>"')
				: reason.review === 'final'
					? // The diff is printed with the command that approves exactly that state.
						`hive proposal diff --trace ${traceId}`
					: act('proposal approve');
		case 'retry':
			return act('task retry');
		case 'limit':
			return `${act('task retry')} goes on at once`;
		default:
			return undefined;
	}
};

/** The end of a sentence that begins with the waiting task. */
const formatLandingReason = (trace: Trace): string => {
	const merge = `its merge with ${trace.landing?.base || 'the base'}`;
	const check = runningCheck(trace);
	return check === undefined
		? `its landing: the checks of ${merge} have to pass first`
		: `its landing: the checks of ${merge} run (${check.agentId}), since ${localMoment(check.startedAt)}`;
};

const nextOfLanding = (trace: Trace): string => {
	const check = runningCheck(trace);
	return check === undefined ? 'hive landing list' : `hive logs ${check.agentId} --follow`;
};

const runningCheck = (trace: Trace): RunRecord | undefined =>
	landingChecks(trace).findLast(({status}) => status === 'running');

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
