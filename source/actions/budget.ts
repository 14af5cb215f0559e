import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type Budget, exhausted, lacking, reserveOf, topUpCommand} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';

/** Limits that a person sets for a new trace, instead of the colony's. */
export type Limits = {
	/** US dollars. */
	readonly maxCost?: number | undefined;
	readonly maxTokens?: number | undefined;
};

/**
 * Returns the budget that a trace gets with the event that starts it. Limits are set once; a trace that has
 * its budget can only have them raised.
 */
export const budgetFor = (
	{traceId, energyBudget}: Trace,
	budget: Budget,
	{maxCost, maxTokens}: Limits = {},
): Outcome<Budget> => {
	const isLimited = maxCost !== undefined || maxTokens !== undefined;
	if (isLimited && energyBudget !== undefined)
		return refuse('usage', {
			message: `The trace ${traceId} exists already: its limits were set when it started.`,
			hint: `Raise a limit with "hive energy add --trace ${traceId}".`,
		});
	return accepted({
		...budget,
		...(maxCost !== undefined && {maxCost}),
		...(maxTokens !== undefined && {maxTokens}),
	});
};

/** Refused if the trace has spent its budget, so nothing could begin. */
export const refuseSpent = (trace: Trace, budget: Budget) => {
	const lacks = exhausted(reserveOf(trace, budget));
	return lacks === undefined
		? undefined
		: refuse('honey_exhausted', {
				message: `Nothing more can start in ${trace.traceId}: ${lacking[lacks].words}.`,
				hint: `Top up with "${topUpCommand(trace.traceId, lacks)}".`,
			});
};
