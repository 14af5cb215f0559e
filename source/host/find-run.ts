import type {ActionContext} from '../actions/context.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {refuseToOther} from '../domain/place.ts';
import type {FollowedRun} from './follow-run.ts';
import {readTraces} from './traces.ts';

/** The run, wherever it belongs to; its files are only in its own checkout, so another's is refused. */
export const findRun = async (
	{bus, checkout}: Pick<ActionContext, 'bus' | 'checkout'>,
	agentId: string,
): Promise<Outcome<FollowedRun>> => {
	for (const {traceId, runs, sequence} of await readTraces({bus})) {
		const run = runs.get(agentId);
		if (run === undefined) continue;
		if (run.place === checkout) return accepted({traceId, run, sequence});
		return refuseToOther(run.place, {
			message: `The run ${agentId} was started by the checkout ${run.place}.`,
		});
	}
	return refuse('run_not_found', {message: `There is no run "${agentId}" in this colony.`});
};
