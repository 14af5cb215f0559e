import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {addHoney, type Reserve, reserveOf} from '../domain/reserve.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend} from './decide-and-append.ts';

export type EnergyAdded = Reserve & {
	readonly traceId: string;
	readonly amount: number;
	/** Blocked tasks that return to ready. */
	readonly resumed: readonly string[];
};

/** Tops up a trace's honey reserve (docs/rules.md §3). Amounts are units, positive and whole. */
export const addEnergy = async (
	context: ActionContext,
	{traceId, amount}: {traceId: string; amount: number},
): Promise<Outcome<EnergyAdded>> => {
	if (!Number.isSafeInteger(amount) || amount < 1) {
		return refuse('usage', {message: `The amount must be a positive whole number, not ${amount}.`});
	}
	const said = await decideAndAppend(context, traceId, trace =>
		accepted({
			event: {agentId: context.by, type: 'SIGNAL', payload: {kind: 'energy.add', amount}},
			value: {
				traceId,
				amount,
				...reserveOf(
					{...trace, energyRemaining: addHoney(trace.energyRemaining, amount)},
					context.colony.defaults.budget,
				),
				resumed: trace.killed
					? []
					: [...trace.tasks.values()].filter(({status}) => status === 'blocked').map(({taskId}) => taskId),
			},
		}),
	);
	return said.ok ? accepted(said.value.value) : said;
};
