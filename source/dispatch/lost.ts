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
 * `git clean -x` in the root does it. May be repeated. Throws `elsewhere` when another checkout took the trace, or was about to start
 * the run when it had it.
 */
export const noteLaunch = async (ports: DispatchPorts, trace: Trace, run: RunRecord): Promise<void> => {
	const {bus, checkout} = ports;
	await expectHere(bus, trace, checkout);
	const noted = await bus.bucket(launched).create(run.agentId, `${trace.sequence} ${checkout}`);
	await expectHere(bus, trace, checkout);
	const place = noted === undefined ? await wasElsewhere(ports, run) : undefined;
	if (place !== undefined)
		throw new HiveError('elsewhere', {
			message: `The run ${run.agentId} was started in the checkout ${place}.`,
		});
};

const readLaunch = async ({bus}: DispatchPorts, {agentId}: RunRecord): Promise<Launch | undefined> => {
	const noted = (await bus.bucket(launched).get(agentId))?.value.split(' ');
	return noted && {sequence: Number(noted[0]), checkout: noted[1] ?? ''};
};

/** The trace's sequence at the launch; 0 where nobody noted it. */
export const sequenceAtLaunch = async (ports: DispatchPorts, run: RunRecord): Promise<number> =>
	(await readLaunch(ports, run))?.sequence ?? 0;

/** It was about to be started, elsewhere or in a directory that is gone: it may run or have run, so it is not started again. */
export const isLost = async (ports: DispatchPorts, {traceId}: Trace, run: RunRecord): Promise<boolean> => {
	const {files, colony} = ports;
	const launch = await readLaunch(ports, run);
	if (launch === undefined) return false;
	if (isElsewhere(ports, launch)) return true;
	const directory = runDirectory(colony().root, traceId, run.agentId);
	return (await readMeta(files, directory).catch(unreadable)) === undefined;
};

/** The checkout where it was started, when that is another: the trace was taken from there. */
export const wasElsewhere = async (ports: DispatchPorts, run: RunRecord): Promise<string | undefined> => {
	if (!ports.bus.isShared) return undefined;
	const launch = await readLaunch(ports, run);
	return launch && isElsewhere(ports, launch) ? launch.checkout : undefined;
};

const isElsewhere = ({bus, checkout: own}: DispatchPorts, {checkout}: Launch): boolean =>
	bus.isShared && checkout !== '' && checkout !== own;

/** Something else is in its place, such as a link. */
const unreadable = (error: unknown): undefined => {
	if (!(error instanceof HiveError)) throw error;
};
