import type {RunRecord} from '../domain/run.ts';
import type {ActionContext} from './context.ts';

/**
 * Ends runs whose result is no longer needed, when there is no reactor to do it. A live reactor that works on
 * the trace does it itself; then this returns false. Runs of another checkout are left alone. If a run cannot
 * be ended, this ends all others first, then throws.
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
