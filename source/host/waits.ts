import {verifierRole} from '../domain/evidence.ts';
import type {Reason} from '../domain/reason.ts';
import {lacking, topUp} from '../domain/reserve.ts';
import type {Task, TaskStatus} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {lackWords} from '../reactor/decide-tasks.ts';
import {isAtGuard} from './views/task.ts';
import {isAtVerification, verifying} from './views/verification.ts';

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
		| 'configuration';
	readonly what: string;
	/** The next step, when somebody can take one. */
	readonly next?: string;
};

/** The reasons in words, each said once. */
export const waitsOf = (trace: Trace, task: Task, reasons: readonly Reason[]): readonly Wait[] => {
	const waits = reasons.map((reason): Wait => {
		const next = nextStep(reason, trace.traceId, task.taskId);
		return {
			for: kinds[reason.for],
			what: reasonWords(reason, trace, task),
			...(next === undefined ? {} : {next}),
		};
	});
	return [...new Map(waits.map(wait => [wait.what, wait])).values()];
};

const kinds: Readonly<Record<Reason['for'], Wait['for']>> = {
	dependency: 'dependency',
	queue: 'queue',
	configuration: 'configuration',
	merge: 'merge',
	honey: 'honey',
	run: 'run',
	pending: 'run',
	workspace: 'workspace',
	slot: 'places',
	reactor: 'reactor',
	review: 'person',
	retry: 'person',
};

/** What the task waits for, as the end of a sentence that begins so. */
const reasonWords = (reason: Reason, trace: Trace, task: Task): string => {
	switch (reason.for) {
		case 'dependency':
			return `${reason.taskId}, which is ${statusOf(trace, reason)}`;
		case 'queue':
			return `${reason.taskId} is before it in the queue and is ${statusOf(trace, reason)}`;
		case 'configuration':
			return lackWords(reason.lack, reason.name);
		case 'merge':
			return mergeWords(reason, task.taskId);
		case 'honey':
			return lacking[reason.lacks].words;
		case 'run':
			if (reason.run.verifies !== undefined)
				return `its verification (${reason.run.agentId}), at work since ${reason.run.startedAt}`;
			return isGuard(task, reason.run)
				? `its guard ${reason.run.bee} (${reason.run.agentId}), at work since ${reason.run.startedAt}`
				: `the run ${reason.run.agentId} of ${reason.run.bee}, open since ${reason.run.startedAt}`;
		case 'pending':
			if (reason.bee === verifierRole) return 'its verification, which has still to begin';
			return isGuard(task, reason)
				? `its guard ${reason.bee}, which has still to begin`
				: `a run of ${reason.bee}, which event ${reason.trigger} asks for`;
		case 'review':
			return reviewWords(reason, task);
		case 'retry':
			return retryWords(reason);
		default:
			return placeWords(reason);
	}
};

/** A place that a run would take, of a task or not. */
type PlaceReason = Extract<Reason, {for: 'workspace' | 'slot' | 'reactor'}>;

export const isPlaceReason = (reason: Reason): reason is PlaceReason =>
	['workspace', 'slot', 'reactor'].includes(reason.for);

/** As the end of a sentence that begins with what waits for it. */
export const placeWords = (reason: PlaceReason): string => {
	switch (reason.for) {
		case 'workspace':
			return `its workspace, which ${reason.bee} (${reason.agentId}) of ${reason.traceId} is in`;
		case 'slot':
			return `a free slot: ${reason.taken} runs are open here, and defaults.max_parallel_runs is ${reason.total}`;
		case 'reactor':
			return reason.checkout === undefined
				? 'a reactor: none is alive for it in this checkout'
				: `the reactor of the checkout ${reason.checkout}, where the trace belongs`;
	}
};

const statusOf = (trace: Trace, {taskId, status}: {taskId: string; status: TaskStatus}): string => {
	const task = trace.tasks.get(taskId);
	if (task === undefined) return status;
	if (isAtVerification(trace, task)) return verifying;
	return isAtGuard(trace, task) ? 'at its guard' : status;
};

/** The run looks at the newest proposal of the task, or will. */
const isGuard = ({proposal}: Task, {trigger}: {readonly trigger?: number}): boolean =>
	trigger !== undefined && trigger === proposal?.sequence;

/** What somebody can do about it. */
const nextStep = (reason: Reason, traceId: string, taskId: string): string | undefined => {
	const act = (words: string, task = taskId) => `hive ${words} --trace ${traceId} --task ${task}`;
	switch (reason.for) {
		case 'dependency':
			return reason.status === 'failed' ? act('task retry', reason.taskId) : undefined;
		case 'queue':
			return `${act('task start')} starts it out of turn`;
		case 'honey':
			return topUp(traceId, reason.lacks);
		case 'run':
			return `hive logs ${reason.run.agentId} --follow`;
		case 'reactor':
			return reason.checkout === undefined ? 'hive run' : undefined;
		case 'review':
			return act('proposal approve');
		case 'retry':
			return act('task retry');
		default:
			return undefined;
	}
};

const mergeWords = ({by, taskId}: Extract<Reason, {for: 'merge'}>, waiting: string): string => {
	if (taskId === undefined) return `the merge of the base into the worktree that ${by} started`;
	return `the merge that ${by} started${taskId === waiting ? '' : ` for ${taskId}`}`;
};

const reviewWords = ({review, receivers}: Extract<Reason, {for: 'review'}>, {unattended}: Task): string => {
	if (review !== 'none') return 'to approve it, or to reject it with what should be different';
	if (receivers.length === 0 || unattended) return 'to approve it';
	return `to approve it; ${receivers.join(' or ')} may complete it first`;
};

const retryWords = ({run}: Extract<Reason, {for: 'retry'}>): string => {
	if (run === undefined) return 'to retry it; until then it stays failed';
	const {agentId, bee, summary, verifies} = run;
	if (verifies !== undefined) return `to have it verified again; ${agentId} failed: ${summary ?? ''}`;
	return `to retry the run ${agentId} of ${bee}, which failed${summary ? `: ${summary.split('\n', 1)[0]}` : ''}`;
};
