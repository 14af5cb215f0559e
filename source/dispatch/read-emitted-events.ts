import {type RunRecord, runEventPrefix} from '../domain/run.ts';
import type {Bus} from '../ports/bus.ts';
import type {EmittedEvent} from './outcome.ts';

/**
 * The events that a run emitted itself, including deferred ones but not those of the runtime about it.
 *
 * @param after a sequence before the run's first event
 */
export const readEmittedEvents = async (
	bus: Bus,
	traceId: string,
	{agentId}: RunRecord,
	after: number,
): Promise<EmittedEvent[]> => {
	const emitted: EmittedEvent[] = [];
	const own = runEventPrefix(traceId, agentId);
	for await (const events of bus.read({traceId, after})) {
		for (const {agentId: author, id, type, payload} of events)
			if (author === agentId && !id.startsWith(own)) emitted.push({type, kind: payload.kind});
	}
	return emitted;
};
