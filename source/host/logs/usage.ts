import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {RunRecord, Usage, UsageSum} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {readUsage, sumUsage} from '../../runs/usage.ts';
import {readTrace} from '../traces.ts';

/** Tokens of those runs of a trace that report them. */
export type TraceUsage = {
	readonly traceId: string;
	/** Number of the selected runs, and of those that reported usage. Verifications count only if selected. */
	readonly runs: number;
	readonly reported: number;
	readonly usage: UsageSum;
	readonly byRun: readonly {readonly agentId: string; readonly bee: string; readonly usage: Usage}[];
};

/** Returns the usage of the runs of a trace, or of one of them. */
export const readTraceUsage = async (
	context: Pick<ActionContext, 'bus' | 'files' | 'colony'>,
	traceId: string,
	agentId?: string,
): Promise<Outcome<TraceUsage>> => {
	const trace = await readTrace(context, traceId);
	if (!trace.ok) return trace;
	const chosen = chooseRuns(trace.value, agentId);
	if (!chosen.ok) return chosen;
	const byRun = (
		await Promise.all(
			chosen.value.map(async ({agentId: id, bee}) => {
				const usage = await readUsage(context.files, context.colony.root, traceId, id);
				return usage === undefined ? [] : [{agentId: id, bee, usage}];
			}),
		)
	).flat();
	const usage = sumUsage(byRun.map(run => run.usage));
	return accepted({traceId, runs: chosen.value.length, reported: byRun.length, usage, byRun});
};

const chooseRuns = (trace: Trace, agentId: string | undefined): Outcome<readonly RunRecord[]> => {
	const runs = [...trace.runs.values()].filter(run =>
		agentId === undefined ? run.verifies === undefined : run.agentId === agentId,
	);
	return agentId === undefined || runs.length > 0
		? accepted(runs)
		: refuse('run_not_found', {message: `The trace ${trace.traceId} has no run "${agentId}".`});
};
