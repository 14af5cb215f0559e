import {join} from 'node:path';
import {runtimeAgent} from '../domain/event.ts';
import {type RunRecord, runEventId} from '../domain/run.ts';
import {runDirectory, runFile} from '../runs/layout.ts';
import type {ActionContext} from './context.ts';

/**
 * Stops runs that nobody waits for any more when no reactor is there to do it, and closes their records (design.md §3).
 * A live reactor that works on the trace does it itself: then the answer is false. Runs of another checkout are left to that one.
 */
export const stopRunsWithoutReactor = async (
	context: ActionContext,
	traceId: string,
	runs: readonly RunRecord[],
	reason: string,
): Promise<boolean> => {
	if (runs.length === 0) return true;
	if (await context.reactorIsAlive(traceId)) return false;
	for (const run of runs.filter(({place}) => place === context.place))
		await stopRun(context, traceId, run, reason);
	return true;
};

/** Stops a run of this checkout, whoever has the reactor. A live one collects the run and closes its record; else that is done here. */
export const stopRun = async (
	context: ActionContext,
	traceId: string,
	run: RunRecord,
	reason: string,
): Promise<void> => {
	const directory = runDirectory(context.colony.root, traceId, run.agentId);
	await context.files.makeFolder(directory);
	await context.files.write(join(directory, runFile.stopReason), reason);
	context.reach('run.stopping');
	await context.processes.stop(directory, run.agentId);
	context.reach('run.stopped');
	if (await context.reactorIsAlive(traceId)) return;
	const payload = {
		kind: 'run.finished',
		agentId: run.agentId,
		bee: run.bee,
		...(run.taskId === undefined ? {} : {taskId: run.taskId}),
		status: 'cancelled',
		exitCode: 143,
		summary: reason,
	};
	await context.bus.append(
		{traceId, agentId: runtimeAgent, type: 'SIGNAL', payload},
		{id: runEventId(traceId, run.agentId, 'finished')},
	);
};
