import {findBee} from '../colony/find-bee.ts';
import {validateInTrace} from '../colony/validate-in-trace.ts';
import {accepted, type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {Payload} from '../domain/event.ts';
import {planDrafts, unknownFields} from '../domain/plan.ts';
import {type WaitingPlan, waitingPlan} from '../domain/plan-review.ts';
import type {Trace} from '../domain/trace.ts';
import {reduce} from '../ledger/reduce.ts';
import type {ActionContext} from './context.ts';
import {type AppendDecision, decideAndAppend, refuseUnlessOpen} from './decide-and-append.ts';

/** A decision about the plan of a trace that waits for a person. */
export type PlanDecision = {
	readonly traceId: string;
	/** The state of the plan that the person saw. Refused if it has changed since; not checked if undefined. */
	readonly plan?: number | undefined;
};

export type PlanAccepted = {
	readonly traceId: string;
	/** Ids of its tasks, in order. */
	readonly taskIds: readonly string[];
	/** Ids of those that are ready now. */
	readonly ready: readonly string[];
};

/** Accepts a plan: its tasks start in their turn (docs/rules.md §2). */
export const acceptPlan = (context: ActionContext, input: PlanDecision): Promise<Outcome<PlanAccepted>> =>
	decide(context, input, (trace, {sequence: plan, tasks}) => {
		const payload = {kind: 'plan.accepted', plan};
		const taskIds = tasks.map(({taskId}) => taskId);
		const after = reduce(trace, {
			...{traceId: trace.traceId, agentId: context.by, type: 'SIGNAL', payload},
			...{id: '', at: trace.updatedAt, sequence: trace.sequence + 1},
		});
		const ready = taskIds.filter(taskId => after.tasks.get(taskId)?.status === 'ready');
		const event = {agentId: context.by, type: 'SIGNAL' as const, payload};
		return accepted({event, value: {traceId: trace.traceId, taskIds, ready}});
	});

export type PlanEdited = {
	readonly traceId: string;
	readonly taskIds: readonly string[];
	/** Ids of tasks that are no longer part of the plan. */
	readonly removed: readonly string[];
	/** Warnings about parts of the plan that hive ignores. */
	readonly warnings: readonly string[];
};

/** Replaces the tasks of a plan. A refusal names every problem, and nothing changes. It still waits. */
export const editPlan = (
	context: ActionContext,
	input: PlanDecision & {readonly tasks: readonly unknown[]},
): Promise<Outcome<PlanEdited>> =>
	decide(context, input, (trace, {sequence: plan, tasks}) => {
		const {traceId} = trace;
		const payload: Payload = {kind: 'plan.edited', plan, tasks: input.tasks};
		const checked = validateInTrace(context.colony, trace, {
			...{traceId, agentId: context.by, type: 'INSIGHT', payload},
		});
		if (!checked.ok) return refusePlan(checked.refusal.details);
		const drafts = planDrafts(input.tasks);
		const taskIds = drafts.map(({taskId}) => String(taskId));
		return accepted({
			event: {agentId: context.by, type: 'INSIGHT' as const, payload: checked.value.payload},
			value: {
				traceId,
				taskIds,
				removed: tasks.map(({taskId}) => taskId).filter(taskId => !taskIds.includes(taskId)),
				warnings: unknownFields(drafts),
			},
		});
	});

export type PlanReturned = {
	readonly traceId: string;
	/** The run that published the plan. Another run of its bee answers its request. */
	readonly agentId: string;
	readonly bee: string;
};

/** Drops a plan and has its bee plan again, with the person's words, in the same session of its tool. */
export const returnPlan = (
	context: ActionContext,
	input: PlanDecision & {readonly body: string},
): Promise<Outcome<PlanReturned>> =>
	decide(context, input, (trace, {sequence: plan, agentId}) => {
		const message = input.body.trim();
		if (message === '')
			return refuse('usage', {message: 'Say what should be different.', hint: 'Give --body <text>.'});
		const run = trace.runs.get(agentId);
		const {traceId} = trace;
		if (run?.status === 'running')
			return refuse('wrong_status', {
				message: `The run ${agentId} of ${run.bee} still works on the plan.`,
				hint: 'Return it when the run has ended, or edit it now.',
			});
		if (run?.trigger === undefined)
			return refuse('wrong_status', {
				message: 'The plan is of a run that worked on a task, which does not plan again.',
				hint: `Change it with "hive plan edit --trace ${traceId}".`,
			});
		const bee = findBee(context.colony, run.bee);
		if (!bee.ok) return bee;
		return accepted({
			event: {
				agentId: context.by,
				type: 'SIGNAL' as const,
				payload: {kind: 'plan.returned', plan, agentId, message},
			},
			value: {traceId, agentId, bee: run.bee},
		});
	});

const decide = async <Value>(
	context: ActionContext,
	{traceId, plan: seen}: PlanDecision,
	decision: (trace: Trace, plan: WaitingPlan) => Outcome<AppendDecision<Value>>,
): Promise<Outcome<Value>> => {
	const done = await decideAndAppend(context, traceId, trace => {
		const closed = refuseUnlessOpen(trace);
		if (closed !== undefined) return closed;
		const plan = waitingPlan(trace);
		if (plan === undefined)
			return refuse('wrong_status', {
				message: `No plan of ${traceId} waits for you.`,
				hint: 'Its tasks are listed by "hive status".',
			});
		if (seen !== undefined && seen !== plan.sequence)
			return refuse('stale_view', {
				message: 'The plan has changed since you looked.',
				hint: `Look again with "hive plan show --trace ${traceId}".`,
			});
		return decision(trace, plan);
	});
	return done.ok ? accepted(done.value.value) : done;
};

const refusePlan = (details: readonly Detail[]) =>
	refuse('invalid_plan', {
		message: `The plan has ${details.length === 1 ? 'a problem' : `${details.length} problems`}; nothing was changed.`,
		hint: 'Fix the listed problems, then edit it again.',
		details: details.map(detail => ({...detail, path: detail.path.replace(/^payload\./, '')})),
	});
