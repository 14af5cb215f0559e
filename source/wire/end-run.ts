import {endRun as end, type RunToEnd} from '../dispatch/end-run.ts';
import {HiveError} from '../domain/errors.ts';
import type {Surroundings} from '../host/host.ts';
import {processes} from './drivers.ts';
import {createRunDispatcher, type DispatchedColony} from './run-dispatcher.ts';

/** Ends a run in this process. Throws `internal` when it is over and what became of it could not all be written down. */
export const endRun = async (open: DispatchedColony, {env}: Surroundings, run: RunToEnd): Promise<void> => {
	const {bus, context} = open;
	const problems: string[] = [];
	const report = (message: string, error?: unknown) => {
		problems.push(error instanceof Error ? `${message} ${error.message}` : message);
	};
	const dispatcher = createRunDispatcher(open, {environment: env, report});
	const {reactorIsAlive} = context;
	await end({bus, processes, dispatcher, reactorIsAlive, colony: () => context.colony}, run);
	if (problems.length === 0) return;
	throw new HiveError('internal', {
		message: problems.join(' '),
		hint: `The run ${run.agentId} is over, and the log says how it ended.`,
	});
};
