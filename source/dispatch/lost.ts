import type {Bee} from '../colony/colony.ts';
import {HiveError} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {expectOwnTrace} from '../ledger/fencing.ts';
import {type Launch, readLaunch, writeLaunch} from '../runs/launch.ts';
import {runDirectory} from '../runs/layout.ts';
import {readMeta} from '../runs/records.ts';
import type {DispatchPorts} from './ports.ts';

/**
 * Notes in a bucket, not in the log, that the run's directory is complete and its supervisor is about to
 * start. The note names the checkout and the bee, whose file may be removed later. It also has the trace's
 * sequence, up to which the run had emitted nothing. The directory alone is not enough, since a `git clean
 * -x` in the root can wipe it while the agent runs. Idempotent. Throws `elsewhere` if another checkout took
 * the trace, or was about to start the run when it had the trace.
 */
export const noteLaunch = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	bee?: Bee,
): Promise<void> => {
	const {bus, checkout} = ports;
	await expectOwnTrace(bus, trace, checkout);
	const launch = {sequence: trace.sequence, checkout, ...(bee && {bee})};
	const isFirst = await writeLaunch(ports, run.agentId, launch);
	await expectOwnTrace(bus, trace, checkout);
	const remoteCheckout = isFirst ? undefined : await remoteLaunchCheckout(ports, run);
	if (remoteCheckout !== undefined)
		throw new HiveError('elsewhere', {
			message: `The run ${run.agentId} was started in the checkout ${remoteCheckout}.`,
		});
};

/** The trace's sequence at the launch; 0 if it was not noted. */
export const sequenceAtLaunch = async (ports: DispatchPorts, run: RunRecord): Promise<number> =>
	(await readLaunch(ports, run.agentId))?.sequence ?? 0;

/**
 * True if the run was about to start at another place, or in a directory that is gone. It may have run, so it
 * is not started again.
 */
export const isLost = async (ports: DispatchPorts, {traceId}: Trace, run: RunRecord): Promise<boolean> => {
	const {files, colony} = ports;
	const launch = await readLaunch(ports, run.agentId);
	if (launch === undefined) return false;
	if (isRemote(ports, launch)) return true;
	const directory = runDirectory(colony().root, traceId, run.agentId);
	return (await readMeta(files, directory).catch(unreadable)) === undefined;
};

/** The other checkout that started the run, if the trace was taken from there; otherwise `undefined`. */
export const remoteLaunchCheckout = async (
	ports: DispatchPorts,
	run: RunRecord,
): Promise<string | undefined> => {
	if (!ports.bus.isShared) return undefined;
	const launch = await readLaunch(ports, run.agentId);
	return launch && isRemote(ports, launch) ? launch.checkout : undefined;
};

const isRemote = ({bus, checkout: own}: DispatchPorts, {checkout}: Launch): boolean =>
	bus.isShared && checkout !== '' && checkout !== own;

/** The path is no regular file, for example a link. */
const unreadable = (error: unknown): undefined => {
	if (!(error instanceof HiveError)) throw error;
};
