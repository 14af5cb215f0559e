import {exitCodes} from '../domain/error-table.ts';
import type {Reason} from '../domain/reason.ts';
import {runWithoutTasks, type Trace} from '../domain/trace.ts';
import type {Decision} from '../reactor/decide.ts';

/** Some task of the trace can still move, or waits for a person. */
export const hasWork = (trace: Trace): boolean =>
	!trace.killed &&
	[...trace.tasks.values()].some(({status}) => status !== 'completed' && status !== 'cancelled');

/**
 * Exit code of an idle colony, over the traces that had work: failed before honey before a person. A request whose planning
 * failed has no task that could say so, and neither has a guard that waits for honey.
 */
export const idleExit = (traces: readonly Trace[], decisionOf: (trace: Trace) => Decision): number => {
	if (traces.some(hasFailed)) return exitCodes.taskFailed;
	const reasons = new Set(traces.flatMap(trace => reasonsIn(trace, decisionOf(trace))));
	if (reasons.has('honey')) return exitCodes.honeyExhausted;
	return reasons.has('review') || reasons.has('merge') ? exitCodes.waitingForHuman : exitCodes.done;
};

const hasFailed = (trace: Trace): boolean =>
	runWithoutTasks(trace)?.status === 'failed' ||
	[...trace.tasks.values()].some(({status}) => status === 'failed' || status === 'cancelled');

const reasonsIn = ({tasks}: Trace, {waits}: Decision): Reason['for'][] =>
	[...[...tasks.values()].flatMap(waits.task), ...waits.runs().flatMap(({reasons}) => reasons)].map(
		reason => reason.for,
	);
