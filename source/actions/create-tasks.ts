import {validateInTrace} from '../colony/validate-in-trace.ts';
import {accepted, type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {isName} from '../domain/ids.ts';
import {planDrafts, unknownFields} from '../domain/plan.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import type {Budget} from '../domain/reserve.ts';
import type {Task} from '../domain/task.ts';
import {readyPayload} from '../domain/task-ready.ts';
import type {Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {unmetNeeds} from '../ledger/queue.ts';
import {applyEvents} from '../ledger/reduce.ts';
import type {IdentifiedEvent} from '../ports/bus.ts';
import {budgetFor, type Limits} from './budget.ts';
import type {ActionContext} from './context.ts';
import {appendDecided, refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';

export type TasksCreated = {
	readonly traceId: string;
	/** The first task of the plan. */
	readonly taskId: string;
	readonly taskIds: readonly string[];
	/** Those that became ready; a live reactor may have begun them by now. */
	readonly ready: readonly string[];
	/** Those that were begun, or over, before: nothing changed for them. */
	readonly unchanged: readonly string[];
	/** No reactor is alive for the trace: the tasks are kept until one is. */
	readonly waiting: boolean;
	/** What the plan has that hive ignores. */
	readonly warnings: readonly string[];
};

type PlanInput = {
	readonly items: readonly PlanItem[];
	readonly autorun?: boolean | undefined;
	readonly budget?: Budget;
	readonly limits?: Limits | undefined;
};

/**
 * Adds a plan to a trace, or starts a trace with it (docs/rules.md §2). Refused whole, every problem named,
 * before anything is published. `autorun` starts what can start, out of turn.
 */
export const createTasks = async (
	context: ActionContext,
	input: PlanInput & {traceId?: string | undefined},
): Promise<Outcome<TasksCreated>> => {
	const traceId = input.traceId ?? context.ids.trace();
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	if (!isName(traceId)) return refuse('invalid_id', {message: `"${traceId}" cannot be a trace id.`});
	const before = await appendPlan(context, traceId, input);
	if (!before.ok) return before;
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
		warnings: unknownFields(planDrafts(input.items)),
	});
};

/**
 * Answers with the trace as it was before the plan. Its tasks are started in the same append: a run may fail
 * right after it.
 */
const appendPlan = async (
	context: ActionContext,
	traceId: string,
	{items, limits, autorun = false, budget: given = context.colony.defaults.budget}: PlanInput,
): Promise<Outcome<Trace>> => {
	const id = context.ids.event();
	const readyIds = new Map(items.map(({taskId}) => [taskId, context.ids.event()]));
	let before: Trace | undefined;
	const appended = await appendDecided(context, traceId, trace => {
		const refused = refuseUnlessOpen(trace);
		if (refused !== undefined) return refused;
		const budget = budgetFor(trace, given, limits);
		if (!budget.ok) return budget;
		const plan = validateInTrace(context.colony, trace, planEvent(context, traceId, items));
		if (!plan.ok) return asPlanRefusal(plan.refusal.details);
		// A store without transactions may have taken the plan alone.
		const isPlanned = before !== undefined && items.every(({taskId}) => trace.tasks.has(taskId));
		if (before === undefined || !isPlanned) before = trace;
		const said = isPlanned ? [] : [{id, event: {...plan.value, ...budget.value}}];
		const started = autorun ? startable(planned(trace, said), items) : [];
		const readies = started.map(task => ({
			id: readyIds.get(task.taskId) ?? '',
			event: readyEvent(context, traceId, task),
		}));
		return accepted({events: [...said, ...readies], value: before});
	});
	return appended.ok ? accepted(appended.value.value) : appended;
};

/** The trace as it is once the plan is in the log. */
const planned = (trace: Trace, said: readonly IdentifiedEvent[]): Trace => {
	const {sequence, updatedAt: at} = trace;
	return applyEvents(
		trace,
		said.map(({id, event}) => ({...event, id, at, sequence: sequence + 1})),
	).trace;
};

/**
 * Those that are ready and not announced, or planned and need nothing more. A gate is opened, never started.
 */
const startable = (trace: Trace, items: readonly PlanItem[]): readonly Task[] =>
	items
		.flatMap(({taskId}) => trace.tasks.get(taskId) ?? [])
		.filter(task => {
			if (task.review === 'final') return false;
			return task.status === 'planned'
				? unmetNeeds(trace, task).length === 0
				: task.status === 'ready' && !task.announced;
		});

const readyEvent = ({by}: ActionContext, traceId: string, task: Task): HiveEvent => ({
	...{traceId, agentId: by, type: 'SIGNAL'},
	payload: readyPayload(task),
});

const planEvent = (context: ActionContext, traceId: string, items: readonly PlanItem[]): HiveEvent => ({
	traceId,
	agentId: context.by,
	type: 'INSIGHT',
	payload: {kind: 'task.plan', tasks: items},
});

const asPlanRefusal = (details: readonly Detail[]) =>
	refuse('invalid_plan', {
		message: `The plan has ${details.length === 1 ? 'a problem' : `${details.length} problems`}; nothing was published.`,
		hint: 'Mend what is named, then run the command again.',
		details,
	});
