import {join} from 'node:path';
import {refuseInsideRun} from '../actions/decide-and-append.ts';
import {busSettings} from '../colony/bus-settings.ts';
import {unknownCheckout} from '../colony/configuration/read.ts';
import {loadColony} from '../colony/load-colony.ts';
import {loadMachine} from '../colony/load-machine.ts';
import {accepted, expectAccepted, HiveError, type Outcome, refuse} from '../domain/errors.ts';
import {markedLogError} from '../domain/log-mark.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import type {BusVerified, Surroundings} from '../host/host.ts';
import {machineFolder} from '../host/locate-colony.ts';
import {rebuildCheckpoints} from '../host/log-admin/rebuild-checkpoints.ts';
import {rebuildProjection} from '../host/log-admin/rebuild-projection.ts';
import {verifyLog} from '../host/log-admin/verify-log.ts';
import type {RawLog} from '../ports/raw-log.ts';
import {missingWithoutLog} from '../runs/newest-event.ts';
import {embeddedStore, serverStore} from './choose-store.ts';
import {files, git} from './drivers.ts';
import {expectNoReactor} from './expect-no-reactor.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';

/**
 * Verifies the log of the colony around a command, and the files made from it (`hive bus verify`).
 *
 * @param rebuild first rebuilds checkpoints and files that differ from the log; refused with `log_in_use`
 * while a reactor is alive
 */
export const verifyBus = async (
	{cwd, env}: Surroundings,
	rebuild: boolean,
): Promise<Outcome<BusVerified>> => {
	const root = env.HIVE_COLONY_ROOT || (await findRoot(cwd));
	const colony = expectAccepted(await loadColony(files, root));
	const folder = machineFolder(env, root, colony.slug);
	const checkout = (await files.read(join(folder, 'place')))?.trim();
	if (checkout === undefined) throw unknownCheckout(root);
	const bus = expectAccepted(busSettings(env, expectAccepted(await loadMachine(files, folder))));
	const store = bus === undefined ? embeddedStore(folder) : serverStore(bus, colony);
	const {state} = await store.probe();
	if (state === 'newer') return refuse('read_only_log');
	if (state === 'absent')
		return accepted(nothingAt(store.location, await missingWithoutLog(files, {root, checkout})));
	const log = await store.openRaw();
	try {
		const mark = await log.mark();
		if (mark !== undefined) throw markedLogError(store.location, mark);
		const refused = rebuild && refuseInsideRun({insideRun: await findInsideRun(env, root)});
		if (refused) return refused;
		const rebuilt = rebuild ? await rebuildAll(log, {root, folder, checkout}) : undefined;
		return accepted({...(await verifyLog(log, files, git, {root, checkout})), rebuilt});
	} finally {
		await log.close();
	}
};

type Own = {readonly root: string; readonly folder: string; readonly checkout: string};

/**
 * Returns how many checkpoints, and tasks, had to be rebuilt. It needs the reactor's lock, since a reactor
 * would continue with state from wrong ones.
 */
const rebuildAll = async (log: RawLog, {root, folder, checkout}: Own): Promise<BusVerified['rebuilt']> => {
	const lock = createKernelLock(join(folder, 'reactor.lock'));
	if (!lock.take())
		throw new HiveError('log_in_use', {
			message: 'The reactor of this checkout is alive; nothing was changed.',
		});
	try {
		await expectNoReactor(log.bus, checkout);
		const checkpoints = await rebuildCheckpoints(log);
		const {tasks} = await rebuildProjection({bus: log.bus, files, colony: {root}});
		return {checkpoints, tasks};
	} finally {
		lock.release();
	}
};

const nothingAt = (address: string, missing: string | undefined): BusVerified => ({
	...{
		address,
		events: 0,
		sums: 0,
		traces: 0,
		checkpoints: 0,
		files: 0,
		texts: 0,
		landings: [],
		rebuilt: undefined,
	},
	findings:
		missing === undefined
			? []
			: [
					{
						...{about: 'store', where: address, message: `The log is gone: ${missing}.`},
						fix: 'Restore it from a backup, or set HIVE_BUS_URL or bus.url in config.yaml to the bus that has it.',
					},
				],
});
