import {validateInTrace} from '../colony/validate-in-trace.ts';
import {accepted, type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {isName} from '../domain/ids.ts';
import type {Budget} from '../domain/reserve.ts';
import type {PlanItem} from '../domain/task.ts';
import {readyPayload} from '../domain/task-ready.ts';
import type {Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {budgetFor, type Limits} from './budget.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';

export type TasksCreated = {
	readonly traceId: string;
	/** The first task of the plan. */
	readonly taskId: string;
	readonly taskIds: readonly string[];
	/** Those that became ready; a live reactor may have begun them by now. */
	readonly ready: readonly string[];
	/** Those that were begun, or over, before: nothing changed for them. */
	readonly unchanged: readonly string[];
	/** No reactor is alive for the trace: the tasks are kept and start when one is. */
	readonly waiting: boolean;
};

/**
 * Adds a plan to a trace, or starts a trace with it (docs/rules.md §2). Refused whole, every problem named, before
 * anything is published. `autorun` starts what can start, out of turn.
 */
export const createTasks = async (
	context: ActionContext,
	input: {
		traceId?: string | undefined;
		items: readonly PlanItem[];
		autorun?: boolean | undefined;
		budget?: Budget;
		limits?: Limits | undefined;
	},
): Promise<Outcome<TasksCreated>> => {
	const traceId = input.traceId ?? context.ids.trace();
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	if (!isName(traceId)) return refuse('invalid_id', {message: `"${traceId}" cannot be a trace id.`});
	const before = await appendPlan(context, traceId, input);
	if (!before.ok) return before;
	if (input.autorun) await startAll(context, await loadTrace(context.bus, traceId), input.items);
	const now = await loadTrace(context.bus, traceId);
	const taskIds = input.items.map(({taskId}) => taskId);
	const isPlanned = (trace: Trace, taskId: string) =>
		(trace.tasks.get(taskId)?.status ?? 'planned') === 'planned';
	const fresh = taskIds.filter(taskId => isPlanned(before.value, taskId));
	return accepted({
		traceId,
		taskId: taskIds[0] ?? '',
		taskIds,
		ready: fresh.filter(taskId => !isPlanned(now, taskId)),
		unchanged: taskIds.filter(taskId => !fresh.includes(taskId)),
		waiting: !(await context.reactorIsAlive(traceId)),
	});
};

const attempts = 16;

/** Answers with the trace as it was before the plan. */
const appendPlan = async (
	context: ActionContext,
	traceId: string,
	input: {items: readonly PlanItem[]; budget?: Budget; limits?: Limits | undefined},
): Promise<Outcome<Trace>> => {
	const {items, limits} = input;
	const id = context.ids.event();
	for (let attempt = 0; attempt < attempts; attempt++) {
		const trace = await loadTrace(context.bus, traceId);
		const refused = refuseUnlessOpen(trace);
		if (refused !== undefined) return refused;
		const budget = budgetFor(trace, input.budget ?? context.colony.defaults.budget, limits);
		if (!budget.ok) return budget;
		const plan = validateInTrace(context.colony, trace, planEvent(context, traceId, items));
		if (!plan.ok) return asPlanRefusal(plan.refusal.details);
		const appended = await context.bus.append({...plan.value, ...budget.value}, {id, after: trace.sequence});
		if (appended.ok) return accepted(trace);
	}
	return refuse('conflict');
};

const planEvent = (context: ActionContext, traceId: string, items: readonly PlanItem[]): HiveEvent => ({
	traceId,
	agentId: context.by,
	type: 'INSIGHT',
	payload: {kind: 'task.plan', tasks: items},
});

const startAll = async (context: ActionContext, trace: Trace, items: readonly PlanItem[]): Promise<void> => {
	for (const {taskId} of items) {
		const task = trace.tasks.get(taskId);
		const startable =
			task?.status === 'planned' && task.dependsOn.every(id => trace.tasks.get(id)?.status === 'completed');
		if (task === undefined || !startable || task.review === 'final') continue;
		const event = {
			traceId: trace.traceId,
			agentId: context.by,
			type: 'SIGNAL' as const,
			payload: readyPayload(task),
		};
		await context.bus.append(event, {id: context.ids.event()});
	}
};

const asPlanRefusal = (details: readonly Detail[]) =>
	refuse('invalid_plan', {
		message: `The plan has ${details.length === 1 ? 'a problem' : `${details.length} problems`}; nothing was published.`,
		hint: 'Mend what is named, then run the command again.',
		details,
	});
