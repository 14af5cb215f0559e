import {HiveError} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {runDirectory} from '../runs/layout.ts';
import {readMeta} from '../runs/records.ts';
import type {DispatchPorts} from './ports.ts';

const launched = 'launched';

/**
 * Notes in a bucket, not in the log, that the run's directory is complete and its supervisor is about to be started, and how far
 * the trace had come: the run has said nothing by then. The directory itself can be wiped while the agent runs: a `git clean -x`
 * in the root does it. May be repeated.
 */
export const noteLaunch = async (
	{bus}: DispatchPorts,
	{sequence}: Trace,
	{agentId}: RunRecord,
): Promise<void> => {
	await bus.bucket(launched).create(agentId, String(sequence));
};

/** The trace's sequence at the launch; 0 where nobody noted it. */
export const sequenceAtLaunch = async ({bus}: DispatchPorts, {agentId}: RunRecord): Promise<number> =>
	Number((await bus.bucket(launched).get(agentId))?.value ?? '');

/** It was about to be started, and its directory is gone: it may run or have run, so it is not started again. */
export const isLost = async (
	{bus, files, colony}: DispatchPorts,
	{traceId}: Trace,
	{agentId}: RunRecord,
): Promise<boolean> => {
	if ((await bus.bucket(launched).get(agentId)) === undefined) return false;
	return (
		(await readMeta(files, runDirectory(colony().root, traceId, agentId)).catch(unreadable)) === undefined
	);
};

/** Something else is in its place, such as a link. */
const unreadable = (error: unknown): undefined => {
	if (!(error instanceof HiveError)) throw error;
};
