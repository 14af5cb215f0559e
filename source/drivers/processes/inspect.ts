import type {ProcessIdentity, RunState} from '../../ports/processes.ts';
import {isAlive} from './identity.ts';
import type {ProcessTable} from './process-table.ts';
import {readExit, readStarted} from './run-directory.ts';

/**
 * Returns the state of a run, from its directory and the processes of the machine (docs/reliability.md I5).
 */
export const inspectRun = async (table: ProcessTable, runDir: string): Promise<RunState> => {
	const exit = await readExit(runDir);
	if (exit) return {state: 'ended', ...exit};
	const started = await readStarted(runDir);
	if (!started) return {state: 'unbegun'};
	if (started.stopped) return {state: 'ended', ...started.stopped};
	const {supervisor} = started;
	if (supervisor && (await isAlive(table, supervisor)))
		return {state: 'alive', supervisor, age: ageOf(table, supervisor, started.since)};
	// The run may have ended meanwhile: a supervisor records the exit before it ends.
	const exitAfterwards = await readExit(runDir);
	return exitAfterwards ? {state: 'ended', ...exitAfterwards} : {state: 'vanished'};
};

/** Returns the age of the run. A supervisor may be older than its run, never younger. */
const ageOf = (table: ProcessTable, {startTime}: ProcessIdentity, since = startTime): number => {
	const [age, maxAge] = [table.ageOf(since), table.ageOf(startTime)];
	return Number.isNaN(age) ? maxAge : Math.min(age, maxAge);
};
