import {HiveError} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {expectHere} from '../ledger/fencing.ts';
import {runDirectory} from '../runs/layout.ts';
import {readMeta} from '../runs/records.ts';
import type {DispatchPorts} from './ports.ts';

const launched = 'launched';

/** Where a run was about to be started, and how far its trace had come. */
type Launch = {readonly sequence: number; readonly checkout: string};

/**
 * Notes in a bucket, not in the log, that the run's directory is complete and its supervisor is about to be started, where, and how
 * far the trace had come: the run has said nothing by then. The directory itself can be wiped while the agent runs: a
 * `git clean -x` in the root does it. May be repeated. Throws `elsewhere` when the trace was taken by another checkout, which may
 * have started the run.
 */
export const noteLaunch = async (
	{bus, checkout}: DispatchPorts,
	{traceId, sequence}: Trace,
	{agentId}: RunRecord,
): Promise<void> => {
	await bus.bucket(launched).create(agentId, `${sequence} ${checkout}`);
	await expectHere(bus, traceId, checkout);
};

const readLaunch = async ({bus}: DispatchPorts, {agentId}: RunRecord): Promise<Launch | undefined> => {
	const noted = (await bus.bucket(launched).get(agentId))?.value.split(' ');
	return noted && {sequence: Number(noted[0]), checkout: noted[1] ?? ''};
};

/** The trace's sequence at the launch; 0 where nobody noted it. */
export const sequenceAtLaunch = async (ports: DispatchPorts, run: RunRecord): Promise<number> =>
	(await readLaunch(ports, run))?.sequence ?? 0;

/** It was about to be started, and its directory is gone: it may run or have run, so it is not started again. */
export const isLost = async (ports: DispatchPorts, {traceId}: Trace, run: RunRecord): Promise<boolean> => {
	const {files, colony} = ports;
	if ((await readLaunch(ports, run)) === undefined) return false;
	const directory = runDirectory(colony().root, traceId, run.agentId);
	return (await readMeta(files, directory).catch(unreadable)) === undefined;
};

/** The checkout where it was started, when that is another: the trace was taken from there. */
export const wasElsewhere = async (ports: DispatchPorts, run: RunRecord): Promise<string | undefined> => {
	if (!ports.bus.isShared) return undefined;
	const {checkout = ''} = (await readLaunch(ports, run)) ?? {};
	return checkout === '' || checkout === ports.checkout ? undefined : checkout;
};

/** Something else is in its place, such as a link. */
const unreadable = (error: unknown): undefined => {
	if (!(error instanceof HiveError)) throw error;
};
