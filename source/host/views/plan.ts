import {formatCount} from '../../domain/format-count.ts';
import {isGateId} from '../../domain/ids.ts';
import type {Params} from '../../domain/params.ts';
import {waitingPlan} from '../../domain/plan-review.ts';
import type {Review, Task} from '../../domain/task.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';

/** One task of a plan, as a plan item has it. Fields that are not set are absent. */
export type PlanItemView = {
	readonly taskId: string;
	readonly title: string;
	readonly body?: string;
	/** Role; the colony's default bee if absent. */
	readonly bee?: string;
	readonly sector?: string;
	readonly intent?: string;
	readonly review?: Review;
	readonly params?: Params;
	readonly dependsOn?: readonly string[];
	readonly reworks?: string;
};

/** A plan that waits for a person. */
export type PlanView = {
	readonly traceId: string;
	/** Title of the trace; empty if it has none. */
	readonly title: string;
	/** Names this state of the plan. A decision about an older one is refused. */
	readonly plan: number;
	/** The run that published it, and its bee. */
	readonly agentId: string;
	readonly bee: string;
	/** When it was published or edited last (UTC, RFC 3339). */
	readonly since: string;
	/** The person's request. */
	readonly request: {readonly title: string; readonly body: string};
	readonly tasks: readonly PlanItemView[];
};

/** The waiting plan of the trace; undefined if none waits. */
export const planView = (trace: Trace): PlanView | undefined => {
	const plan = waitingPlan(trace);
	if (plan === undefined) return undefined;
	const {title = '', body = ''} = trace.request ?? {};
	return {
		traceId: trace.traceId,
		title: titleOf(trace),
		plan: plan.sequence,
		agentId: plan.agentId,
		bee: trace.runs.get(plan.agentId)?.bee ?? '',
		since: plan.at,
		request: {title, body},
		tasks: plan.tasks.map(itemOf),
	};
};

const itemOf = ({
	taskId,
	title,
	body,
	bee,
	sector,
	intent,
	review,
	params,
	dependsOn,
	reworks,
}: Task): PlanItemView => ({
	...{taskId, title},
	...(bee !== '' && {bee}),
	...(sector !== undefined && {sector}),
	...(intent !== undefined && {intent}),
	...(review !== 'none' && {review}),
	...(params !== undefined && {params}),
	...(dependsOn.length > 0 && {dependsOn}),
	...(reworks !== undefined && {reworks}),
	...(body !== '' && {body}),
});

/** How much a plan is: `4 tasks`, without the gates that hive adds. */
export const formatPlanSize = (tasks: readonly Pick<Task, 'taskId'>[]): string =>
	formatCount(tasks.filter(({taskId}) => !isGateId(taskId)).length, 'task');
