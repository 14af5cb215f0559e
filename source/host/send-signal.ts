import type {ActionContext} from '../actions/context.ts';
import {refuseInsideRun} from '../actions/decide-and-append.ts';
import {emitEvent} from '../actions/emit-event.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import type {Payload} from '../domain/event.ts';

/** Appends a signal of the colony to a new trace, in a person's name. Returns the id of the trace. */
export const sendSignal = async (context: ActionContext, payload: Payload): Promise<Outcome<string>> => {
	const refused = refuseInsideRun(context);
	if (refused !== undefined) return refused;
	const traceId = context.ids.trace();
	const emitted = await emitEvent(
		context,
		{traceId, agentId: context.by, type: 'SIGNAL', payload},
		{id: context.ids.event()},
	);
	return emitted.ok ? accepted(traceId) : emitted;
};
