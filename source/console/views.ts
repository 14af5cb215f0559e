import {waitingPlan} from '../domain/plan-review.ts';
import {preconditionOf} from '../domain/precondition.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {RunActivities} from '../host/views/activity.ts';
import type {LandingFacts} from '../host/views/landing.ts';
import {taskName, traceName} from '../host/views/name.ts';
import {decisionOf} from '../host/views/review.ts';
import {openAgentRuns, runSnapshot, runsOf} from '../host/views/run.ts';
import {taskToDecide} from '../host/views/sheet.ts';
import {taskDetails, taskSnapshot, taskStatusLabel} from '../host/views/task.ts';
import {orderTasks} from '../host/views/task-order.ts';
import {traceSnapshot, traceView} from '../host/views/trace.ts';

/** Returns the ids of the actions that are possible on the subject now. */
export type OffersFor = (subject: {
	readonly trace: Trace;
	readonly task?: Task;
	readonly activities?: RunActivities;
}) => readonly string[];

type Budget = Parameters<typeof traceSnapshot>[1];

/** What the pages of one trace need beside it. */
export type TraceFacts = {
	readonly budget: Budget;
	readonly landingOf: (trace: Trace) => LandingFacts;
};

/** A trace in a list. */
export const traceRow = (trace: Trace, {budget, landingOf}: TraceFacts) => {
	const {tasks: _, runs: __, invites: ___, problems, ...snapshot} = traceSnapshot(trace, budget);
	return {
		...snapshot,
		...traceView(trace),
		name: traceName(trace),
		createdAt: trace.createdAt,
		updatedAt: trace.updatedAt,
		summary: trace.summary,
		lowEnergy: snapshot.energyRemaining <= snapshot.energyBudget / 4,
		taskCount: trace.tasks.size,
		runCount: trace.runs.size,
		/** The task to review first; empty if none waits for a review. */
		reviewTaskId: reviewOf(trace)?.taskId ?? '',
		landing: landingOf(trace),
		activeCount: openAgentRuns(trace).length,
		bees: [...new Set([...trace.runs.values()].map(({bee}) => bee))],
		problems,
	};
};

/** The task whose decision is next. One that only waits for words is answered, not reviewed. */
const reviewOf = (trace: Trace): Task | undefined => {
	const task = taskToDecide(trace);
	return task?.waitsFor === undefined ? task : undefined;
};

/** A trace with all its details. */
export const tracePage = (
	trace: Trace,
	facts: TraceFacts,
	offersFor: OffersFor,
	activities: RunActivities,
) => ({
	...traceRow(trace, facts),
	offers: offersFor({trace, activities}),
	tasks: orderTasks(trace.tasks).map(({task, ...position}) => ({
		...taskRow(trace, task, offersFor),
		...position,
	})),
	runs: [...trace.runs.values()].map(runSnapshot),
	invites: traceSnapshot(trace, facts.budget).invites,
	/** True if a plan of a bee waits for a person; `/plan` has it. */
	isPlanWaiting: waitingPlan(trace) !== undefined,
});

/** A task in a list. */
export const taskRow = (trace: Trace, task: Task, offersFor: OffersFor) => ({
	...taskSnapshot(trace.traceId, task),
	name: taskName(task),
	state: taskStatusLabel(trace, task),
	runCount: runsOf(trace, task.taskId).length,
	offers: offersFor({trace, task}),
});

/** A task with all the details that its trace has. */
export const taskPage = (trace: Trace, task: Task, offersFor: OffersFor) => ({
	...taskDetails(trace, task),
	task: taskRow(trace, task, offersFor),
	traceTitle: traceView(trace).title,
	decision: decisionOf(trace, task),
	shown: preconditionOf(task),
});
