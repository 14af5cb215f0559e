import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type Budget, exhausted, lacking, reserveOf, topUp} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';

/** What a person says that a new trace may spend, instead of what the colony says. */
export type Limits = {
	/** US dollars. */
	readonly maxCost?: number | undefined;
	readonly maxTokens?: number | undefined;
};

/**
 * What a trace is given with what starts it. Limits are set once: those of a trace that was given its budget
 * can be raised only.
 */
export const budgetFor = (
	{traceId, energyBudget}: Trace,
	budget: Budget,
	{maxCost, maxTokens}: Limits = {},
): Outcome<Budget> => {
	const isLimited = maxCost !== undefined || maxTokens !== undefined;
	if (isLimited && energyBudget !== undefined)
		return refuse('usage', {
			message: `The trace ${traceId} was given its limits when it began.`,
			hint: `Raise one that it has with "hive energy add --trace ${traceId}".`,
		});
	return accepted({
		...budget,
		...(maxCost !== undefined && {maxCost}),
		...(maxTokens !== undefined && {maxTokens}),
	});
};

/** Refused where nothing could begin: it has spent what it may. */
export const refuseSpent = (trace: Trace, budget: Budget) => {
	const lacks = exhausted(reserveOf(trace, budget));
	return lacks === undefined
		? undefined
		: refuse('honey_exhausted', {
				message: `Nothing more can begin in ${trace.traceId}: ${lacking[lacks].words}.`,
				hint: `Top up with "${topUp(trace.traceId, lacks)}".`,
			});
};
