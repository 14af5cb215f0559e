import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {findTask} from '../domain/not-found.ts';
import type {Task} from '../domain/task.ts';
import {readyPayload} from '../domain/task-ready.ts';
import type {Trace} from '../domain/trace.ts';
import {unmetNeeds} from '../ledger/queue.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseUnlessOpen, wrongStatus} from './decide-and-append.ts';

export type Started = {readonly traceId: string; readonly taskId: string};

/** Starts a planned task whose dependencies are completed, out of turn (docs/rules.md §2). Without an id: the first such task. */
export const startTask = async (
	context: ActionContext,
	{traceId, taskId}: {traceId: string; taskId?: string | undefined},
): Promise<Outcome<Started>> => {
	const said = await decideAndAppend(context, traceId, trace => {
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
	return said.ok ? accepted(said.value.value) : said;
};

const firstStartable = (trace: Trace): Outcome<Task> => {
	const task = [...trace.tasks.values()].find(
		candidate => refuseUnlessStartable(trace, candidate) === undefined,
	);
	if (task !== undefined) return accepted(task);
	return refuse('wrong_status', {
		message: `No task of ${trace.traceId} is planned with its dependencies completed.`,
	});
};

const refuseUnlessStartable = (trace: Trace, task: Task) => {
	if (task.status !== 'planned') return wrongStatus(task, 'a planned one');
	if (task.review === 'final') {
		return refuse('wrong_status', {
			message: `The task ${task.taskId} is a final gate: it opens when all other tasks are done.`,
		});
	}
	const missing = unmetNeeds(trace, task);
	if (missing.length === 0) return undefined;
	return refuse('wrong_status', {
		message: `The task ${task.taskId} waits for ${missing.join(', ')}.`,
		hint: 'It starts by itself when they are completed.',
	});
};
