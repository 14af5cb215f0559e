import {textIn} from '../../agents/json.ts';
import type {Bus} from '../../ports/bus.ts';

/**
 * Returns the end of what a check printed, from the event of its end; empty if it is not recorded.
 *
 * @param after a sequence before that event
 */
export const readCheckOutput = async (
	bus: Pick<Bus, 'read'>,
	{
		traceId,
		agentId,
		after = 0,
	}: {readonly traceId: string; readonly agentId: string; readonly after?: number},
): Promise<string> => {
	for await (const batch of bus.read({traceId, after}))
		for (const {payload} of batch)
			if (payload.kind === 'run.finished' && payload.agentId === agentId)
				return textIn(Object(payload.evidence), 'output');
	return '';
};
