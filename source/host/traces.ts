import type {ActionContext} from '../actions/context.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {traceNotFound} from '../domain/not-found.ts';
import {isShown, type Trace} from '../domain/trace.ts';
import {loadTrace, openLedger} from '../ledger/ledger.ts';

/** Returns the trace as it is now. Refuses an id that no event has. */
export const readTrace = async (
	{bus}: Pick<ActionContext, 'bus'>,
	traceId: string,
): Promise<Outcome<Trace>> => {
	const trace = await loadTrace(bus, traceId);
	return isShown(trace) ? accepted(trace) : traceNotFound(traceId);
};

/** Returns every trace as it is now, in the order of their first events. */
export const readTraces = async ({bus}: Pick<ActionContext, 'bus'>): Promise<readonly Trace[]> => [
	...(await openLedger(bus)).traces().values(),
];
