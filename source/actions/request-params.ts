import type {Colony} from '../colony/colony.ts';
import {paramProblems} from '../colony/plan-params.ts';
import {describeIssues} from '../domain/describe-issues.ts';
import {refuse} from '../domain/errors.ts';
import {type Params, params} from '../domain/params.ts';
import type {PlanReview} from '../domain/plan-review.ts';
import {hasBegun, type Trace} from '../domain/trace.ts';

/** Refuses params of a request that have the wrong form, or that the colony does not allow. */
export const refuseParams = (colony: Colony, given: Params | undefined) => {
	const checked = params.safeParse(given ?? {}, describeIssues);
	const details = [
		...(checked.success
			? []
			: checked.error.issues.map(({path, message}) => ({path: ['params', ...path].join('.'), message}))),
		...paramProblems(colony, given),
	];
	return details.length === 0
		? undefined
		: refuse('schema_validation_failed', {
				message: 'The request sets params that it may not set; nothing was published.',
				hint: 'Fix the listed params.',
				details,
			});
};

/** Refuses params for a whole trace that has begun. */
export const refuseLateParams = (trace: Trace, given: Params | undefined) =>
	given === undefined || Object.keys(given).length === 0 || !hasBegun(trace)
		? undefined
		: refuse('usage', {
				message: `The trace ${trace.traceId} has begun: params of all its runs are set when it starts.`,
				hint: `Set them for a task with "hive task create --trace ${trace.traceId}", or start a new trace.`,
			});

/** Refuses to choose the review of plans for a trace that has begun. */
export const refuseLatePlanReview = (trace: Trace, chosen: PlanReview | undefined) =>
	chosen === undefined || !hasBegun(trace)
		? undefined
		: refuse('usage', {
				message: `The trace ${trace.traceId} has begun: the review of its plans is set when it starts.`,
				hint: 'Start a new trace to choose it.',
			});
