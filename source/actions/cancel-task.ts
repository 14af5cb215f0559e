import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isTerminal, type Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {dependantsOf} from '../ledger/queue.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, findOpenTask, type TaskInput, wrongStatus} from './decide-and-append.ts';
import {endRunsWithoutReactor} from './end-runs.ts';

export type CancelInput = TaskInput & {readonly reason?: string | undefined};

export type Cancelled = {
	readonly traceId: string;
	readonly taskId: string;
	/** Planned tasks that could never start without it. */
	readonly dependants: readonly string[];
	readonly stopped: readonly string[];
};

/**
 * Cancels one task that is not over (docs/rules.md §1), or one that failed and would block the gate for ever.
 * Its run is stopped, its dependants are cancelled with it, and gates count them as done.
 */
export const cancelTask = async (context: ActionContext, input: CancelInput): Promise<Outcome<Cancelled>> => {
	const {traceId, taskId, reason = ''} = input;
	const summary = reason.trim() || 'cancelled by human';
	const decided = await decideAndAppend(context, traceId, trace => {
		const found = findOpenTask(trace, input);
		if (!found.ok) return found;
		const task = found.value;
		const refused = refuseToCancel(trace, task);
		if (refused !== undefined) return refused;
		const payload = {kind: 'task.status', taskId, status: 'cancelled', summary};
		return accepted({
			event: {agentId: context.by, type: 'SIGNAL', payload},
			value: {
				traceId,
				taskId,
				dependants: [...dependantsOf(trace, [taskId], {throughGates: false})],
				stopped: runsFor(trace, task).map(({agentId}) => agentId),
			},
		});
	});
	if (!decided.ok) return decided;
	const {value, trace} = decided.value;
	const stopped = openRuns(trace).filter(({agentId}) => value.stopped.includes(agentId));
	await endRunsWithoutReactor(context, traceId, stopped, summary);
	return accepted(value);
};

const refuseToCancel = ({traceId}: Trace, task: Task) => {
	if (task.review === 'final') {
		return refuse('wrong_status', {
			message: `The task ${task.taskId} is a final gate: it would open again.`,
			hint: `Leave its work on the branch with "hive proposal approve --no-merge", or end the trace with "hive kill --trace ${traceId}".`,
		});
	}
	const over = isTerminal(task.status) && task.status !== 'failed';
	return over ? wrongStatus(task, 'unfinished') : undefined;
};

const runsFor = (trace: Trace, {taskId}: Task) =>
	openRuns(trace).filter(run => run.taskId === taskId && run.trigger === undefined);
