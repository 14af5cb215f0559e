import {accepted, type Outcome} from '../domain/errors.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {ActionContext} from './context.ts';

export type StoppedSession = {
	readonly traceId: string;
	readonly sessionId: string;
	/** How it ended; `running` while a reactor still has to collect it. */
	readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
};

/**
 * Ends a session with all processes that it started, and collects it. A session that is over is left as it
 * is.
 */
export const stopSession = async (
	context: ActionContext,
	{traceId, sessionId}: {readonly traceId: string; readonly sessionId: string},
): Promise<Outcome<StoppedSession>> => {
	await context.endRun({traceId, agentId: sessionId, reason: 'stopped by a person'});
	const trace = await loadTrace(context.bus, traceId);
	return accepted({traceId, sessionId, state: trace.runs.get(sessionId)?.status ?? 'running'});
};
