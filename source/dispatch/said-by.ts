import {type RunRecord, runEventPrefix} from '../domain/run.ts';
import type {Bus} from '../ports/bus.ts';
import type {Uttered} from './outcome.ts';

/**
 * What a run emitted itself, deferred events included; what the runtime says of it is not among them.
 *
 * @param after a sequence that it had said nothing by
 */
export const saidBy = async (
	bus: Bus,
	traceId: string,
	{agentId}: RunRecord,
	after: number,
): Promise<Uttered[]> => {
	const said: Uttered[] = [];
	const own = runEventPrefix(traceId, agentId);
	for await (const events of bus.read({traceId, after})) {
		for (const {agentId: speaker, id, type, payload} of events)
			if (speaker === agentId && !id.startsWith(own)) said.push({type, kind: payload.kind});
	}
	return said;
};
