import {openedBy} from './invariants.ts';
import type {Played} from './played.ts';

/**
 * Only the machine that owns the trace reports the success or the changes of a run. Returns one sentence per
 * breach.
 */
export const unfenced = ({folds, machines}: Played): string[] => {
	const started = new Map(
		machines.flatMap(({checkout, runs}) =>
			[...runs.values()].map(({launch}) => [launch?.env.HIVE_AGENT_ID ?? '', checkout] as const),
		),
	);
	const takes = new Set(
		folds.flatMap(({event}) => (event.payload.kind === 'trace.taken' ? [event.traceId] : [])),
	);
	return folds.flatMap(fold => {
		const {event, before} = fold;
		const {kind, agentId, status} = event.payload;
		const speaks = kind === 'run.finished' && status === 'completed' ? String(agentId) : event.agentId;
		const machine = started.get(speaks ?? '');
		if (machine === undefined || !takes.has(event.traceId) || openedBy(fold) === speaks) return [];
		return before.place === machine
			? []
			: [
					`${event.sequence}: ${kind} of ${speaks} was said from ${machine}, and the trace is at ${before.place}`,
				];
	});
};
