import {type RunRecord, runEventPrefix} from '../domain/run.ts';
import type {Bus} from '../ports/bus.ts';
import type {Uttered} from './outcome.ts';

/**
 * The events that a run emitted itself, including deferred ones but not those of the runtime about it.
 *
 * @param after a sequence before the run's first event
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
