import type {ActionContext} from '../actions/context.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {FollowedRun} from './follow-run.ts';
import {nameElsewhere} from './places.ts';
import {readTraces} from './traces.ts';

/** The run, wherever it belongs to; its files are only in its own checkout, so another's is refused. */
export const findRun = async (
	{bus, checkout, places}: Pick<ActionContext, 'bus' | 'checkout' | 'places'>,
	agentId: string,
): Promise<Outcome<FollowedRun>> => {
	for (const {traceId, runs, sequence} of await readTraces({bus})) {
		const run = runs.get(agentId);
		if (run === undefined) continue;
		if (run.place === checkout) return accepted({traceId, run, sequence});
		const message = `The run ${agentId} was started by the checkout ${run.place}.`;
		return nameElsewhere({places}, refuse('elsewhere', {message}));
	}
	return refuse('run_not_found', {message: `There is no run "${agentId}" in this colony.`});
};
