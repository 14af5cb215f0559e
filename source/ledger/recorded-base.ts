import {type TraceBase, traceBaseIn} from '../domain/trace-base.ts';
import type {Bus} from '../ports/bus.ts';

/**
 * Returns the merge target of a trace (docs/reliability.md I22): the branch that a person named, else that of
 * its first claim of a run in the worktree. Returns `undefined` for a trace without either, and for one that
 * an earlier version began. Git's record counts for those.
 */
export const readRecordedBase = async (
	bus: Pick<Bus, 'read'>,
	traceId: string,
): Promise<TraceBase | undefined> => {
	let named: TraceBase | undefined;
	for await (const events of bus.read({traceId, after: 0}))
		for (const {payload} of events) {
			if (payload.kind === 'trace.based') named ??= traceBaseIn(payload);
			if (payload.kind !== 'energy.consume' || payload.agentId === undefined) continue;
			if (payload.workspace === 'root') continue;
			const claimed = traceBaseIn(payload.base);
			return named === undefined || named.branch === claimed?.branch ? claimed : named;
		}
	return named;
};
