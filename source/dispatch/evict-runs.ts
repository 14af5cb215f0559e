import {beeOf} from '../colony/colony.ts';
import {runWriterId} from '../colony/configuration/writers.ts';
import {isName} from '../domain/ids.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {timestamp} from '../ports/clock.ts';
import {runDirectory, traceDirectory} from '../runs/layout.ts';
import {readMeta, readState, writeStatus} from '../runs/records.ts';
import {endSession} from '../runs/session.ts';
import {removeVerificationWorktree} from '../workspaces/worktree/verification-worktree.ts';
import {tolerating} from './collection.ts';
import {removeContained, takeOverRun} from './containment/take-over-run.ts';
import {removeLongTexts} from './long-texts.ts';
import type {RedactingPorts} from './redacting.ts';
import {readChange} from './run-change.ts';
import {stopRun} from './stop.ts';

/** The result of ending a run here whose trace was taken. */
export type EvictedRun = {
	readonly agentId: string;
	/** True if its changes are kept under `refs/hive/keep/<traceId>/<agentId>`, in this repository only. */
	readonly isKept: boolean;
};

/**
 * Ends the runs here of a trace that another checkout has taken, or that was purged. It also ends runs that
 * stopped without being collected. Their changes are kept if the log has the run. Appends nothing to the log.
 * Idempotent.
 */
export const evictRuns = async (ports: RedactingPorts, trace: Trace): Promise<readonly EvictedRun[]> => {
	const {files, colony, checkout} = ports;
	const {traceId, runs} = trace;
	const evicted: EvictedRun[] = [];
	const names = await files.list(traceDirectory(colony().root, traceId));
	for (const agentId of names.filter(isName)) {
		const run = runs.get(agentId);
		// The trace may have come back meanwhile.
		const isOwn = run?.status === 'running' && run.place === checkout;
		const directory = runDirectory(colony().root, traceId, agentId);
		if (isOwn || (await readState(files, directory).catch(unreadable)) !== 'running') continue;
		evicted.push({agentId, isKept: await evictRun(ports, trace, agentId)});
	}
	return evicted;
};

/** The path is no state file, for example a link. */
const unreadable = (): undefined => undefined;

const evictRun = async (ports: RedactingPorts, trace: Trace, agentId: string): Promise<boolean> => {
	const {files, processes, colony, clock, writers} = ports;
	const directory = runDirectory(colony().root, trace.traceId, agentId);
	const run = trace.runs.get(agentId);
	const error =
		trace.purged === undefined
			? `its trace was taken by the checkout ${trace.place ?? ''}`
			: 'its trace was purged';
	const {state} = await processes.inspect(directory);
	if (state === 'alive' || state === 'unbegun') await stopRun(ports, trace, {agentId}, error);
	await processes.sweep(directory, agentId, colony().defaults.leaveRunning);
	const finishedAt = timestamp(clock);
	const warnings: string[] = [];
	const change = run && keepChange(ports, trace, run, {directory, endedAt: finishedAt});
	const isKept = change && (await tolerating(warnings)(change));
	await tolerating(warnings)(removeContained(ports, trace, {agentId}));
	await tolerating(warnings)(removeLongTexts(ports, directory, agentId));
	await writeStatus(files, directory, {
		...{state: 'cancelled', startedAt: run?.startedAt ?? finishedAt, finishedAt, exitCode: -1, error},
		...(warnings.length === 0 ? {} : {warnings}),
	});
	if (run?.verifies !== undefined)
		await tolerating(warnings)(removeVerificationWorktree(ports.git, colony().root, agentId));
	await endSession(files, directory, {state: 'cancelled', finishedAt});
	await writers?.endWriting(runWriterId(agentId));
	return isKept ?? false;
};

const keepChange = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
	{directory, endedAt}: {readonly directory: string; readonly endedAt: string},
): Promise<boolean> => {
	const meta = await readMeta(ports.files, directory);
	if (meta === undefined) return false;
	const bee = beeOf(ports.colony(), run.bee);
	await takeOverRun(ports, trace, run);
	const {workspace} = meta;
	const change = await readChange(ports, bee, trace, run, {directory, workspace, endedAt});
	return change !== undefined && change.before !== change.after;
};
