import {planReviewField} from '../colony/plan-review.ts';
import {validateInTrace} from '../colony/validate-in-trace.ts';
import {accepted, type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {isName} from '../domain/ids.ts';
import {planDrafts, unknownFields} from '../domain/plan.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import type {PlanReview} from '../domain/plan-review.ts';
import type {Budget} from '../domain/reserve.ts';
import type {Task} from '../domain/task.ts';
import {readyPayload} from '../domain/task-ready.ts';
import type {Trace} from '../domain/trace.ts';
import type {TraceBase} from '../domain/trace-base.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {unmetNeeds} from '../ledger/queue.ts';
import {applyEvents} from '../ledger/reduce.ts';
import type {IdentifiedEvent} from '../ports/bus.ts';
import {budgetFor, type Limits} from './budget.ts';
import type {ActionContext} from './context.ts';
import {appendDecided, refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';
import {type FoundIssue, issueEvents, refuseLateIssue} from './find-issue.ts';
import {baseEvents, findBase} from './name-base.ts';
import {refuseLatePlanReview} from './request-params.ts';

export type TasksCreated = {
	readonly traceId: string;
	/** The first task of the plan. */
	readonly taskId: string;
	readonly taskIds: readonly string[];
	/** Ids of tasks that became ready; a live reactor may have started them by now. */
	readonly ready: readonly string[];
	/** Ids of tasks that were already started or over: unchanged. */
	readonly unchanged: readonly string[];
	/** True if no reactor is alive for the trace: the tasks wait until one is. */
	readonly waiting: boolean;
	/** Warnings about parts of the plan that hive ignores. */
	readonly warnings: readonly string[];
};

type PlanInput = {
	readonly items: readonly PlanItem[];
	readonly autorun?: boolean | undefined;
	readonly budget?: Budget;
	readonly limits?: Limits | undefined;
	/** Review of the plans of bees in the trace that it begins. */
	readonly planReview?: PlanReview | undefined;
	/** The same if the person chose none; default: the colony's. */
	readonly usualPlanReview?: PlanReview | undefined;
	/** The branch that the trace which it begins is merged into; default: the one that is checked out. */
	readonly base?: string | undefined;
	/** The issue from which the trace begins. */
	readonly issue?: FoundIssue | undefined;
};

/**
 * Adds a plan to a trace, or starts a trace with it (docs/rules.md §2). A refusal names every problem and
 * nothing is published. `autorun` starts every task that can start, out of turn.
 */
export const createTasks = async (
	context: ActionContext,
	input: PlanInput & {traceId?: string | undefined},
): Promise<Outcome<TasksCreated>> => {
	const traceId = input.traceId ?? context.ids.trace();
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	if (!isName(traceId)) return refuse('invalid_id', {message: `"${traceId}" cannot be a trace id.`});
	const base = await findBase(context, input.base);
	if (!base.ok) return base;
	const before = await appendPlan(context, traceId, {...input, base: base.value});
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
 * Appends the plan, and starts its tasks in the same append, since a run may fail right after it. Returns the
 * trace as it was before the plan.
 */
const appendPlan = async (
	context: ActionContext,
	traceId: string,
	{
		items,
		limits,
		autorun = false,
		budget: given = context.colony.defaults.budget,
		base,
		issue,
		...reviews
	}: Omit<PlanInput, 'base'> & {readonly base: TraceBase | undefined},
): Promise<Outcome<Trace>> => {
	const id = context.ids.event();
	const issueId = context.ids.event();
	const readyIds = new Map(items.map(({taskId}) => [taskId, context.ids.event()]));
	let before: Trace | undefined;
	const appended = await appendDecided(context, traceId, trace => {
		const refused =
			refuseUnlessOpen(trace) ??
			(before === undefined ? refuseLateIssue(trace, issue) : undefined) ??
			refuseLatePlanReview(trace, reviews.planReview);
		if (refused !== undefined) return refused;
		const budget = budgetFor(trace, given, limits);
		if (!budget.ok) return budget;
		const review = planReviewField(context.colony, trace, reviews.planReview ?? reviews.usualPlanReview);
		const plan = validateInTrace(
			context.colony,
			trace,
			planEvent(context, traceId, {tasks: items, ...review}),
		);
		if (!plan.ok) return asPlanRefusal(plan.refusal.details);
		// A store without transactions may have appended only the plan.
		const isPlanned = before !== undefined && items.every(({taskId}) => trace.tasks.has(taskId));
		if (before === undefined || !isPlanned) before = trace;
		const based = isPlanned ? accepted([]) : baseEvents(context, trace, base);
		if (!based.ok) return based;
		const planEvents = isPlanned ? [] : [{id, event: {...plan.value, ...budget.value}}];
		const started = autorun ? startable(planned(trace, planEvents), items) : [];
		const readies = started.map(task => ({
			id: readyIds.get(task.taskId) ?? '',
			event: readyEvent(context, traceId, task),
		}));
		const begins = issueEvents(context, trace, issue).map(event => ({id: issueId, event}));
		return accepted({events: [...based.value, ...begins, ...planEvents, ...readies], value: before});
	});
	return appended.ok ? accepted(appended.value.value) : appended;
};

/** Returns the trace as it will be once the plan is in the log. */
const planned = (trace: Trace, planEvents: readonly IdentifiedEvent[]): Trace => {
	const {sequence, updatedAt: at} = trace;
	return applyEvents(
		trace,
		planEvents.map(({id, event}) => ({...event, id, at, sequence: sequence + 1})),
	).trace;
};

/**
 * The plan's tasks that are ready but not announced, or planned without unmet dependencies. A gate is opened,
 * never started.
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

const planEvent = (context: ActionContext, traceId: string, plan: object): HiveEvent => ({
	traceId,
	agentId: context.by,
	type: 'INSIGHT',
	payload: {kind: 'task.plan', ...plan},
});

const asPlanRefusal = (details: readonly Detail[]) =>
	refuse('invalid_plan', {
		message: `The plan has ${details.length === 1 ? 'a problem' : `${details.length} problems`}; nothing was published.`,
		hint: 'Fix the listed problems, then run the command again.',
		details,
	});
