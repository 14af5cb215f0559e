import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {addHoney, exhausted, type Reserve, raise, reserveOf} from '../domain/reserve.ts';
import {isPaused} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend} from './decide-and-append.ts';

/** The amounts to add; at least one. */
export type TopUp = {
	/** Units of honey. */
	readonly amount?: number | undefined;
	/** US dollars. */
	readonly cost?: number | undefined;
	readonly tokens?: number | undefined;
};

export type EnergyAdded = Reserve & {
	readonly traceId: string;
	/** Units of honey; 0 when only other limits were raised. */
	readonly amount: number;
	/** Ids of blocked tasks that return to ready. */
	readonly resumed: readonly string[];
};

/** Tops up the honey of a trace, and raises its limits of money and tokens (docs/rules.md §3). */
export const addEnergy = async (
	context: ActionContext,
	{traceId, amount, cost, tokens}: TopUp & {readonly traceId: string},
): Promise<Outcome<EnergyAdded>> => {
	const added = {...(amount && {amount}), ...(cost && {cost}), ...(tokens && {tokens})};
	if (Object.keys(added).length === 0)
		return refuse('usage', {
			message: 'There is nothing to add.',
			hint: 'Say how much to add: --amount <runs>, --cost <usd> or --tokens <n>.',
		});
	const decided = await decideAndAppend(context, traceId, trace => {
		const before = reserveOf(trace, context.colony.defaults.budget);
		const unlimited = refuseUnlimited(trace, added);
		if (unlimited !== undefined) return unlimited;
		const after = raised(before, added);
		return accepted({
			event: {agentId: context.by, type: 'SIGNAL', payload: {kind: 'energy.add', ...added}},
			value: {traceId, amount: 0, ...added, ...after, resumed: resumedBy(trace, after)},
		});
	});
	return decided.ok ? accepted(decided.value.value) : decided;
};

const raised = (reserve: Reserve, {amount = 0, cost = 0, tokens = 0}: TopUp): Reserve => {
	const {energyRemaining, maxCost, maxTokens} = reserve;
	return {
		...reserve,
		energyRemaining: addHoney(energyRemaining, amount),
		...(maxCost !== undefined && {maxCost: raise('cost', maxCost, cost)}),
		...(maxTokens !== undefined && {maxTokens: raise('tokens', maxTokens, tokens)}),
	};
};

const resumedBy = ({killed, tasks}: Trace, after: Reserve): readonly string[] =>
	killed || exhausted(after) !== undefined
		? []
		: [...tasks.values()]
				.filter(task => task.status === 'blocked' && !isPaused(task))
				.map(({taskId}) => taskId);

/**
 * Refuses a limit that the trace does not have, since it cannot be raised. A trace without a budget has no
 * limit of its own.
 */
const refuseUnlimited = ({traceId, maxCost, maxTokens}: Trace, {cost, tokens}: TopUp) => {
	const what =
		cost !== undefined && maxCost === undefined
			? 'cost'
			: tokens !== undefined && maxTokens === undefined
				? 'token'
				: undefined;
	return what === undefined
		? undefined
		: refuse('usage', {
				message: `The trace ${traceId} has no ${what} limit that could be raised.`,
				hint: `A trace gets one when it starts, by --max-${what === 'cost' ? 'cost' : 'tokens'} or from .hive/colony.yaml.`,
			});
};
