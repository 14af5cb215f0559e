import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import type {DispatchPorts} from './ports.ts';

/**
 * Stops a run's whole process tree. The reason is written first, so that collecting the run finds why it
 * ended.
 */
export const stopRun = async (
	{colony, files, processes, failpoint}: DispatchPorts,
	{traceId}: Trace,
	{agentId}: Pick<RunRecord, 'agentId'>,
	reason: string,
): Promise<number> => {
	const directory = runDirectory(colony().root, traceId, agentId);
	await files.makeFolder(directory, {mode: 0o700});
	await files.write(runPath(directory, 'stopReason'), reason);
	failpoint('run.stopping');
	await processes.stop(directory, agentId);
	failpoint('run.stopped');
	return 0;
};
