import {runWriterId} from '../colony/configuration/writers.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {timestamp} from '../ports/clock.ts';
import {runDirectory} from '../runs/layout.ts';
import {writeResult, writeStatus} from '../runs/records.ts';
import {endSession} from '../runs/session.ts';
import {removeContained} from './containment/take-over-run.ts';
import {removeLongTexts} from './long-texts.ts';
import type {DispatchPorts} from './ports.ts';
import {closeRun, type RunEnd} from './run-events.ts';
import {removeSpool} from './spool.ts';

/**
 * Closes a run whose work cannot be read: it never began, or data needed to interpret it is gone. Its
 * directory gets the same result as the log. If the directory cannot be written, the run is closed
 * nevertheless.
 */
export const closeUnread = async (
	{bus, files, clock, colony, report, writers}: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	end: RunEnd,
): Promise<number> => {
	const {agentId, startedAt} = run;
	const directory = runDirectory(colony().root, trace.traceId, agentId);
	const {status, exitCode, summary: error, warnings = []} = end;
	const finishedAt = timestamp(clock);
	try {
		await files.makeFolder(directory, {mode: 0o700});
		await writeResult(files, directory, {
			...{traceId: trace.traceId, agentId, status, exitCode, error, finishedAt},
			...{output: '', stderr: '', artifacts: [], warnings},
		});
		await writeStatus(files, directory, {
			...{state: status, startedAt, finishedAt, exitCode, error},
			...(warnings.length === 0 ? {} : {warnings}),
		});
		if (run.interactive) await endSession(files, directory, {state: status, finishedAt});
		await removeLongTexts({files}, directory, agentId);
		await removeSpool({files, colony}, {traceId: trace.traceId, agentId});
		await removeContained({files, colony}, trace, run);
	} catch (fault) {
		report(`The end of run ${agentId} could not be written to ${directory}.`, fault);
	}
	await writers?.endWriting(runWriterId(agentId));
	return closeRun(bus, trace, run, end);
};
