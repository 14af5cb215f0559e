import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {refuseForCheckout} from '../../domain/machine-status.ts';
import {runNotFound} from '../../domain/not-found.ts';
import type {RunRecord} from '../../domain/run.ts';
import {lookUpRun} from '../../ledger/find-run.ts';

export type FoundRun = {
	readonly traceId: string;
	readonly run: RunRecord;
	/** The trace's last sequence when the record was read. */
	readonly sequence: number;
};

/** Finds a run. Its files are only in its own checkout, so a run of another one is refused. */
export const findRun = async (
	{bus, checkout}: Pick<ActionContext, 'bus' | 'checkout'>,
	agentId: string,
): Promise<Outcome<FoundRun>> => {
	const found = await lookUpRun(bus, agentId);
	if (found === undefined) return runNotFound(agentId);
	const {run, trace} = found;
	const {traceId, sequence} = trace;
	if (run.place === checkout) return accepted({traceId, run, sequence});
	return refuseForCheckout(run.place, {
		message: `The run ${agentId} was started by the checkout ${run.place}.`,
	});
};
