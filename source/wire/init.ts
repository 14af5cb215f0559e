import {join} from 'node:path';
import {refuseInsideRun} from '../actions/decide-and-append.ts';
import {type InitInput, type InitReport, initColony} from '../actions/init.ts';
import {busSettings} from '../colony/bus-settings.ts';
import {loadColony} from '../colony/load-colony.ts';
import {loadMachine} from '../colony/load-machine.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {oneIdHint, sayOtherColonies} from '../domain/other-colonies.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import {randomHex} from '../drivers/random.ts';
import type {Surroundings} from '../host/host.ts';
import {machineFolder, machineHome} from '../host/locate-colony.ts';
import {embeddedStore, serverStore} from './choose-store.ts';
import {files, git, processes} from './drivers.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';
import {writeAcceptedIn} from './write-accepted.ts';

/** Makes the checkout around a command a colony (`hive init`). */
export const init = async ({cwd, env}: Surroundings, input: InitInput): Promise<Outcome<InitReport>> => {
	const root = await findRoot(cwd);
	const refused = refuseInsideRun({insideRun: await findInsideRun(env, root)});
	if (refused !== undefined) return refused;
	const made = await initColony(
		{
			...{files, git, processes, randomHex},
			home: machineHome(env),
			storeIn: embeddedStore,
			writeAcceptedIn,
			reactorLock: folder => createKernelLock(join(folder, 'reactor.lock')),
		},
		{...input, root},
	);
	if (!made.ok) return made;
	const notes = [
		...made.value.notes,
		...(await noteOtherColonies(root, machineFolder(env, root, made.value.slug), env)),
	];
	return accepted({...made.value, notes});
};

/** Says that the bus of this machine has another colony of the name. A bus that is away is no problem. */
const noteOtherColonies = async (
	root: string,
	folder: string,
	env: Surroundings['env'],
): Promise<readonly string[]> => {
	const [colony, machine] = [await loadColony(files, root), await loadMachine(files, folder)];
	if (!colony.ok || !machine.ok) return [];
	const bus = busSettings(env, machine.value);
	if (!bus.ok || bus.value === undefined) return [];
	const found = await serverStore(bus.value, colony.value).probe();
	const others = 'server' in found ? (found.server?.otherColonies ?? []) : [];
	const message = sayOtherColonies(colony.value.id ?? '', others);
	return message === undefined ? [] : [`${bus.value.shown}: ${message}. ${oneIdHint}`];
};
