import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isName} from '../domain/ids.ts';
import {isExhausted, reserveOf} from '../domain/reserve.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {ActionContext} from './context.ts';
import {refuseElsewhere, refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';

export type BeeRequested = {
	readonly traceId: string;
	/** Of the request; the run that answers it has this trigger. */
	readonly sequence: number;
};

/**
 * Asks for one autonomous run outside any task (docs/rules.md §3). It is pending like any direct run: a reactor claims
 * it, for one unit of honey, when a slot and the workspace are free.
 */
export const requestBeeRun = async (
	context: ActionContext,
	input: {role: string; body: string; intent?: string | undefined; traceId?: string | undefined},
): Promise<Outcome<BeeRequested>> => {
	const {colony, bus, ids, by} = context;
	const traceId = input.traceId ?? ids.trace();
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	if (!isName(traceId)) return refuse('invalid_id', {message: `"${traceId}" cannot be a trace id.`});
	const bee = colony.bees.get(input.role);
	if (bee === undefined) return unknownBee(input.role, [...colony.bees.keys()]);
	if (input.body.trim() === '' && bee.adapter !== 'script') {
		return refuse('usage', {
			message: `The bee "${input.role}" needs to be told what to do.`,
			hint: 'Pass --body "<text>".',
		});
	}
	const trace = await loadTrace(bus, traceId);
	const closed = refuseElsewhere(trace, context.checkout) ?? refuseUnlessOpen(trace);
	if (closed !== undefined) return closed;
	if (isExhausted(reserveOf(trace, colony.defaults.energyBudget)))
		return refuse('honey_exhausted', {message: `The honey reserve of ${traceId} is exhausted.`});
	const request = {
		kind: 'bee.requested',
		bee: input.role,
		body: input.body,
		...(input.intent && {intent: input.intent}),
	};
	const asked = await bus.append(
		{traceId, agentId: by, type: 'SIGNAL', payload: request, energyBudget: colony.defaults.energyBudget},
		{id: ids.event()},
	);
	return asked.ok ? accepted({traceId, sequence: asked.sequence}) : refuse('conflict');
};

const unknownBee = (role: string, known: readonly string[]) =>
	refuse('bee_not_found', {
		message: `There is no bee "${role}".`,
		hint: `Bees of this colony: ${known.join(', ') || 'none'}.`,
	});
