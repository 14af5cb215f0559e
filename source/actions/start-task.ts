import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {branchOf} from '../domain/ids.ts';
import {findTask} from '../domain/not-found.ts';
import type {Task} from '../domain/task.ts';
import {readyPayload} from '../domain/task-ready.ts';
import type {Trace} from '../domain/trace.ts';
import {allUnmetNeeds, awaitingMerge, leftNeed, unmetNeeds} from '../ledger/queue.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseUnlessOpen, wrongStatus} from './decide-and-append.ts';

export type Started = {readonly traceId: string; readonly taskId: string};

/**
 * Starts a planned task whose dependencies are completed, out of turn (docs/rules.md §2). Default: the first
 * such task.
 */
export const startTask = async (
	context: ActionContext,
	{traceId, taskId}: {traceId: string; taskId?: string | undefined},
): Promise<Outcome<Started>> => {
	const decided = await decideAndAppend(context, traceId, trace => {
		const found = taskId === undefined ? firstStartable(trace) : findTask(trace, taskId);
		if (!found.ok) return found;
		const task = found.value;
		const refused = refuseUnlessOpen(trace) ?? refuseUnlessStartable(trace, task);
		if (refused !== undefined) return refused;
		return accepted({
			event: {agentId: context.by, type: 'SIGNAL', payload: readyPayload(task)},
			value: {traceId, taskId: task.taskId},
		});
	});
	return decided.ok ? accepted(decided.value.value) : decided;
};

const firstStartable = (trace: Trace): Outcome<Task> => {
	const startable = [...trace.tasks.values()].filter(
		candidate => refuseUnlessStartable(trace, candidate) === undefined,
	);
	const task = startable.find(candidate => leftNeed(trace, candidate) === undefined);
	if (task !== undefined) return accepted(task);
	const [waiting] = startable;
	return refuse('wrong_status', {
		message: `No planned task of ${trace.traceId} has all of its dependencies completed and merged.`,
		...(waiting && {hint: startAnyway(trace, waiting.taskId)}),
	});
};

/** A task that waits for a merge is started only if it is named. */
const startAnyway = ({traceId}: Trace, taskId: string): string =>
	`${taskId} waits for the merge of ${branchOf(traceId)}; "hive task start --trace ${traceId} --task ${taskId}" starts it all the same.`;

const refuseUnlessStartable = (trace: Trace, task: Task) => {
	if (task.status !== 'planned') return wrongStatus(task, 'planned');
	if (task.review === 'final') {
		return refuse('wrong_status', {
			message: `The task ${task.taskId} is a final gate: it opens when all tasks are done, except those that need it.`,
		});
	}
	const missing = unmetNeeds(trace, task);
	if (missing.length === 0) return undefined;
	return refuse('wrong_status', {
		message: `The task ${task.taskId} waits for other tasks: ${missing.join(', ')}.`,
		hint: whatHelps(trace, task),
	});
};

/**
 * Says what a person can do about the root cause that holds the task up. If nothing needs them, says that it
 * starts by itself.
 */
const whatHelps = (trace: Trace, task: Task): string => {
	const act = (command: string, taskId: string) =>
		`"hive ${command} --trace ${trace.traceId} --task ${taskId}"`;
	const needs = allUnmetNeeds(trace, task);
	const [cancelled, failed] = (['cancelled', 'failed'] as const).map(over =>
		needs.find(({status}) => status === over),
	);
	if (cancelled !== undefined)
		return `It can never start: ${cancelled.taskId} was cancelled. ${act('task cancel', task.taskId)} takes it out of the plan.`;
	if (failed !== undefined)
		return `It cannot start while ${failed.taskId} is failed: ${act('task retry', failed.taskId)} has it done again.`;
	const unmerged = awaitingMerge(trace).find(waiting => needs.includes(waiting));
	if (unmerged !== undefined) return startAnyway(trace, unmerged.taskId);
	const isGated = needs.some(({review}) => review === 'final');
	return `It starts by itself when they are completed${isGated ? ' and merged' : ''}.`;
};
