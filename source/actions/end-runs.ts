import type {RunRecord} from '../domain/run.ts';
import type {ActionContext} from './context.ts';

/**
 * Ends runs that nobody waits for any more when no reactor is there to do it. A live reactor that works on
 * the trace does it itself: then the answer is false. Runs of another checkout are left to that one. Throws
 * what kept a run from being ended, once all others are.
 */
export const endRunsWithoutReactor = async (
	{checkout, reactorIsAlive, endRun}: ActionContext,
	traceId: string,
	runs: readonly RunRecord[],
	reason: string,
): Promise<boolean> => {
	if (runs.length === 0) return true;
	if (await reactorIsAlive(traceId)) return false;
	const own = runs.filter(({place}) => place === checkout);
	const ends = await Promise.allSettled(own.map(({agentId}) => endRun({traceId, agentId, reason})));
	for (const end of ends) if (end.status === 'rejected') throw end.reason;
	return true;
};
