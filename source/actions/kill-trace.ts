import {accepted, type Outcome} from '../domain/errors.ts';
import {isTerminal} from '../domain/task.ts';
import {openRuns} from '../domain/trace.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseUnlessOpen} from './decide-and-append.ts';
import {endRunsWithoutReactor} from './end-runs.ts';

export type Killed = {
	readonly traceId: string;
	readonly reason: string;
	readonly cancelled: readonly string[];
	readonly stopped: readonly string[];
	/** True if a live reactor is still stopping the runs. */
	readonly stopping: boolean;
	/** True if it was killed before; nothing was appended. */
	readonly already: boolean;
};

/**
 * Kills a trace (docs/rules.md §1): no further dispatch, unfinished tasks cancelled, live runs stopped.
 * Idempotent.
 */
export const killTrace = async (
	context: ActionContext,
	{traceId, reason = ''}: {traceId: string; reason?: string | undefined},
): Promise<Outcome<Killed>> => {
	const decided = await decideAndAppend(context, traceId, trace => {
		const refused = trace.killed ? undefined : refuseUnlessOpen(trace);
		if (refused !== undefined) return refused;
		const unfinished = [...trace.tasks.values()].filter(({status}) => !isTerminal(status));
		const payload = {kind: 'system.kill', ...(reason === '' ? {} : {reason})};
		return accepted({
			...(trace.killed ? {} : {event: {agentId: context.by, type: 'SIGNAL', payload}}),
			value: {
				traceId,
				reason,
				cancelled: unfinished.map(({taskId}) => taskId),
				stopped: openRuns(trace).map(({agentId}) => agentId),
				already: trace.killed,
			},
		});
	});
	if (!decided.ok) return decided;
	context.failpoint('trace.killed');
	const runs = openRuns(decided.value.trace);
	const areEnded = await endRunsWithoutReactor(context, traceId, runs, reason || 'Trace killed');
	return accepted({...decided.value.value, stopping: !areEnded});
};
