import {beeOf} from '../colony/colony.ts';
import {runAsWriter} from '../colony/configuration/writers.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {timestamp} from '../ports/clock.ts';
import {runDirectory} from '../runs/layout.ts';
import {readMeta, readState, writeStatus} from '../runs/records.ts';
import {endSession} from '../runs/session.ts';
import {tolerating} from './collection.ts';
import type {RedactingPorts} from './redacting.ts';
import {readChange} from './run-change.ts';
import {stopRun} from './stop.ts';

/** What became here of a run whose trace was taken. */
export type HandedOver = {
	readonly agentId: string;
	/** What it changed is kept under `refs/hive/keep/<traceId>/<agentId>`, here alone. */
	readonly isKept: boolean;
};

/**
 * The trace was taken by another checkout: its runs that are under way here are stopped, those that ended without being collected
 * too, and what they changed is kept. Nothing is said in the log, where they are no more this checkout's. May be repeated.
 */
export const handOver = async (ports: RedactingPorts, trace: Trace): Promise<readonly HandedOver[]> => {
	const handed: HandedOver[] = [];
	for (const run of trace.runs.values()) {
		const directory = runDirectory(ports.colony().root, trace.traceId, run.agentId);
		if ((await readState(ports.files, directory)) !== 'running') continue;
		handed.push({agentId: run.agentId, isKept: await endHere(ports, trace, run, directory)});
	}
	return handed;
};

const endHere = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
	directory: string,
): Promise<boolean> => {
	const {files, processes, colony, clock, writers} = ports;
	const {state} = await processes.inspect(directory);
	const error = `its trace was taken by the checkout ${trace.place ?? ''}`;
	if (state === 'alive' || state === 'unbegun') await stopRun(ports, trace, run, error);
	await processes.sweep(directory, run.agentId, colony().defaults.leaveRunning);
	const finishedAt = timestamp(clock);
	const warnings: string[] = [];
	const isKept = await tolerating(warnings)(keepChange(ports, trace, run, {directory, endedAt: finishedAt}));
	const {startedAt} = run;
	await writeStatus(files, directory, {
		...{state: 'cancelled', startedAt, finishedAt, exitCode: -1, error},
		...(warnings.length === 0 ? {} : {warnings}),
	});
	if (run.interactive) await endSession(files, directory, {state: 'cancelled', finishedAt});
	await writers?.endWriting(runAsWriter(run.agentId));
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
	const {workspace} = meta;
	const change = await readChange(ports, bee, trace, run, {directory, workspace, endedAt});
	return change !== undefined && change.before !== change.after;
};
