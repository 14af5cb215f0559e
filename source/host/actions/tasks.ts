import * as z from 'zod/mini';
import type {Retried} from '../../actions/retry-task.ts';
import {isGateId} from '../../domain/ids.ts';
import type {PlanItem} from '../../domain/plan-item.ts';
import {isPaused, type Task} from '../../domain/task.ts';
import {repeatableRun} from '../../ledger/direct-run.ts';
import {unmetNeeds} from '../../ledger/queue.ts';
import {taskName} from '../views/name.ts';
import {action, field, type Subject, whoTakesIt} from './action.ts';
import {base, basedOn, expected, fresh, limits, taskId, textField, traceId} from './fields.ts';

/** Why nothing can be done: no trace is selected, or it is killed. */
export const liveTrace = ({trace}: Subject): string | undefined => {
	if (trace === undefined) return 'Select a trace first.';
	return trace.killed ? 'The trace is killed.' : undefined;
};

const isGate = ({review, taskId: id}: Task): boolean => review === 'final' || isGateId(id);

export const createTask = action({
	id: 'task.create',
	label: 'Create',
	progressLabel: 'Adding tasks',
	summary: 'Add a task, or a whole plan, to a new or an existing trace.',
	shape: '{v, traceId, taskId, taskIds, ready, unchanged, waiting, warnings}',
	input: z.object({
		traceId: z.optional(z.string()),
		// The plan is validated when it is added, so that every problem of every item is reported at once.
		items: z.array(z.custom<PlanItem>(() => true)),
		autorun: z.optional(z.boolean()),
		base,
		limits,
	}),
	perform: async (context, input) => {
		const {createTasks} = await import('../../actions/create-tasks.ts');
		return createTasks(context, input);
	},
	done: ({traceId: trace, taskIds, ready, unchanged, waiting, warnings}, {base: branch}) => [
		`Trace ${trace}`,
		...basedOn(branch),
		...taskIds.map(task => {
			const became = unchanged.includes(task) ? 'unchanged' : ready.includes(task) ? 'ready' : 'planned';
			return `Task ${task}: ${became}`;
		}),
		...warnings.map(warning => `Warning: ${warning}`),
		...(unchanged.length === taskIds.length ? [] : [whoTakesIt(!waiting)]),
	],
});

export const startTask = action({
	id: 'task.start',
	label: 'Start',
	confirm: true,
	progressLabel: 'Starting',
	summary: 'Start a planned task now, before its turn.',
	shape: '{v, traceId, taskId}',
	needsReactor: true,
	input: z.object({
		traceId,
		taskId: field(z.optional(z.string()), {
			summary: 'Task to start; default: the first that can start.',
			hint: '<id>',
			complete: 'tasks',
		}),
	}),
	blocked: subject => liveTrace(subject) ?? whyNotStarted(subject),
	perform: async (context, input) => {
		const {startTask: start} = await import('../../actions/start-task.ts');
		return start(context, input);
	},
	done: ({taskId: task}) => [`Task ${task} is ready.`],
});

const whyNotStarted = ({trace, task}: Subject): string | undefined => {
	if (trace === undefined || task?.status !== 'planned') return 'Only a planned task can be started.';
	if (isGate(task)) return 'A final gate opens when all tasks are done, except those that need it.';
	const needs = unmetNeeds(trace, task);
	const names = needs.map(id => taskName(trace.tasks.get(id) ?? {taskId: id, title: ''}));
	return names.length === 0 ? undefined : `It waits for ${names.join(', ')}.`;
};

export const retryTask = action({
	id: 'task.retry',
	label: 'Retry',
	progressLabel: 'Retrying',
	summary: 'Send a failed, paused or stuck task back to ready.',
	description:
		'The run of a running task is stopped first. A task that a tool limit pauses starts without waiting for the limit. If a task waits for review, or is completed but not merged, its failed guard runs again. With --feedback a waiting task goes back to its bee, or its question is answered. The next run resumes the session of its tool, unless that failed before. It costs one unit of honey.',
	shape: '{v, traceId, taskId, replaces, repeats}',
	needsReactor: true,
	input: z.object({
		traceId,
		taskId,
		feedback: textField(
			'What should be different, or the answer to its question; the next prompt starts with it.',
		),
		fresh,
		expected,
	}),
	blocked: subject => liveTrace(subject) ?? whyNotRetried(subject),
	// A run at work is stopped only if its task is named.
	fitsTask: subject => subject.task?.status !== 'running' && whyNotRetried(subject) === undefined,
	perform: async (context, input) => {
		const {retryTask: retry} = await import('../../actions/retry-task.ts');
		return retry(context, input);
	},
	done: retried => [formatRetry(retried)],
});

const whyNotRetried = ({trace, task}: Subject): string | undefined => {
	if (trace && task && repeatableRun(trace, task)) return undefined;
	const isWaiting = task?.status === 'waiting_review' && !isGate(task);
	if (task?.waitsFor !== undefined) return undefined;
	if (isWaiting && task.review !== 'none') return 'To send it back, reject it with a comment.';
	const isStuck = task && (task.status === 'failed' || task.status === 'running' || isPaused(task));
	return isWaiting || isStuck ? undefined : 'Only what failed, is paused, runs or waits can be retried.';
};

const formatRetry = ({taskId: task, replaces, repeats}: Retried): string => {
	if (repeats !== '') return `The bee ${repeats} runs again for ${task}.`;
	return replaces === ''
		? `Task ${task} is ready again.`
		: `Task ${task} is ready again. Run ${replaces} is stopped.`;
};

export const cancelTask = action({
	id: 'task.cancel',
	label: 'Cancel task',
	danger: true,
	confirm: true,
	progressLabel: 'Cancelling',
	summary: 'Cancel one task: its run is stopped, and tasks that need it are cancelled too.',
	description:
		'For an unfinished or failed task. The final gate counts cancelled tasks as finished. What the run left in the worktree stays there.',
	shape: '{v, traceId, taskId, dependants, stopped}',
	input: z.object({traceId, taskId, reason: textField('Reason, shown on the task.'), expected}),
	blocked: subject => whyNotCancelled(subject),
	perform: async (context, input) => {
		const {cancelTask: cancel} = await import('../../actions/cancel-task.ts');
		return cancel(context, input);
	},
	done: ({taskId: task, dependants, stopped}) => [
		`Cancelled ${task}.`,
		...(dependants.length === 0 ? [] : [`Cancelled with it, because they need it: ${dependants.join(', ')}`]),
		...(stopped.length === 0 ? [] : [`Its run is stopped: ${stopped.join(', ')}`]),
	],
});

const whyNotCancelled = (subject: Subject): string | undefined => {
	const {task} = subject;
	if (task === undefined) return 'Select a task first.';
	const isOver = task.status === 'completed' || task.status === 'cancelled';
	return (
		liveTrace(subject) ??
		(isOver || isGate(task) ? 'Only a task that is not over can be cancelled.' : undefined)
	);
};
