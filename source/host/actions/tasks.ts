import * as z from 'zod/mini';
import type {Retried} from '../../actions/retry-task.ts';
import {isGateId} from '../../domain/ids.ts';
import type {PlanItem} from '../../domain/plan-item.ts';
import {isPaused, type Task} from '../../domain/task.ts';
import {repeatableRun} from '../../ledger/direct-run.ts';
import {unmetNeeds} from '../../ledger/queue.ts';
import {action, field, type Subject, whoTakesIt} from './action.ts';
import {expected, fresh, limits, taskId, textField, traceId} from './fields.ts';

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
		limits,
	}),
	perform: async (context, input) => {
		const {createTasks} = await import('../../actions/create-tasks.ts');
		return createTasks(context, input);
	},
	done: ({traceId: trace, taskIds, ready, unchanged, waiting, warnings}) => [
		`Trace ${trace}`,
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
	summary: 'Start a planned task now, out of turn.',
	shape: '{v, traceId, taskId}',
	needsReactor: true,
	input: z.object({
		traceId,
		taskId: field(z.optional(z.string()), {
			summary: 'Task to start; the first that can start without it.',
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
	if (isGate(task)) return 'A final gate opens when all tasks are done but those that need it.';
	const needs = unmetNeeds(trace, task);
	return needs.length === 0 ? undefined : `It waits for ${needs.join(', ')}.`;
};

export const retryTask = action({
	id: 'task.retry',
	label: 'Retry',
	progressLabel: 'Retrying',
	summary: 'Send a failed, paused or stuck task back to ready.',
	description:
		'A running task is taken from its run, which is stopped. A task that is paused over a limit of its tool does not wait for that to pass. Of a task that waits for review, or is completed and not merged yet, the guard that failed runs again; with --feedback a waiting task itself goes back, and a question of its run is answered. The next run goes on with the session that its tool had, unless that failed before, and costs one unit of honey.',
	shape: '{v, traceId, taskId, replaces, repeats}',
	needsReactor: true,
	input: z.object({
		traceId,
		taskId,
		feedback: textField(
			'What should be different, or the answer to what it asked; it leads the next prompt.',
		),
		fresh,
		expected,
	}),
	blocked: subject => liveTrace(subject) ?? whyNotRetried(subject),
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
	if (isWaiting && task.review !== 'none') return 'Its review sends it back: reject it, with words.';
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
	summary: 'Cancel one task: its run is stopped, and what needs it goes with it.',
	description:
		'For a task that is not over, or one that failed. The final gate counts cancelled tasks as finished. What the run left in the worktree stays there.',
	shape: '{v, traceId, taskId, dependants, stopped}',
	input: z.object({traceId, taskId, reason: textField('Why, shown on the task.'), expected}),
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
