import type {Dispatcher} from '../dispatch/dispatcher.ts';
import {endRun as end, type RunToEnd} from '../dispatch/end-run.ts';
import {HiveError} from '../domain/errors.ts';
import type {Surroundings} from '../host/host.ts';
import {openLiveLedger} from '../ledger/ledger.ts';
import {processes} from './drivers.ts';
import {createRunDispatcher, type DispatchedColony} from './run-dispatcher.ts';
import {runsThatWrite} from './runs-that-write.ts';

/**
 * Ends a run in this process. Throws `internal` if the run is over but its results could not all be recorded.
 */
export const endRun = async (
	open: DispatchedColony,
	{env}: Pick<Surroundings, 'env'>,
	run: RunToEnd,
): Promise<void> => {
	const {bus, configuration, context} = open;
	const problems: string[] = [];
	const report = (message: string, error?: unknown) => {
		problems.push(error instanceof Error ? `${message} ${error.message}` : message);
	};
	const dispatcher = createRunDispatcher(open, {environment: env, report});
	/** Records the other writers: a reactor that was killed may have recorded only this one of several runs. */
	const nameOthers = async (): Promise<void> => {
		if ((await configuration.writers()).length === 0) return;
		const traces = (await openLiveLedger(bus)).traces().values();
		await configuration.resume(runsThatWrite(traces, context.checkout), []);
	};
	const collect: Dispatcher['collect'] = async (...ended) => {
		await nameOthers();
		return dispatcher.collect(...ended);
	};
	const {reactorIsAlive} = context;
	const colony = () => context.colony;
	await end({bus, processes, dispatcher: {...dispatcher, collect}, reactorIsAlive, colony}, run);
	if (problems.length === 0) return;
	throw new HiveError('internal', {
		message: problems.join(' '),
		hint: `The run ${run.agentId} is over, and the log says how it ended.`,
	});
};
