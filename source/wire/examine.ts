import {fileURLToPath} from 'node:url';
import {type Diagnosis, diagnose} from '../actions/diagnose.ts';
import {readAwaiting} from '../colony/configuration/trust.ts';
import type {Outcome} from '../domain/errors.ts';
import {isForeignCommand} from '../drivers/foreign-command.ts';
import type {Surroundings, TryBot, TryForge} from '../host/host.ts';
import {isHandledBy} from '../host/live/is-handled-by.ts';
import {machineFolder, machineHome} from '../host/locate-colony.ts';
import {readMachines} from '../host/machines/machines.ts';
import {channelIn, chooseStore} from './choose-store.ts';
import {clock, containment, files, git, processes} from './drivers.ts';
import {findRoot} from './find-root.ts';

/** Examines the colony around a command and this machine (`hive doctor`). */
export const examine = async (
	{cwd, env}: Surroundings,
	networks: {readonly tryBot: TryBot; readonly tryForge: TryForge},
): Promise<Outcome<Diagnosis>> => {
	const root = env.HIVE_COLONY_ROOT || (await findRoot(cwd));
	return diagnose({
		...{files, git, processes, containment, root},
		home: machineHome(env),
		folderOf: slug => machineFolder(env, root, slug),
		storeIn: (folder, bus, colony) => chooseStore(bus, colony, folder),
		places: bus => readMachines(bus, clock),
		reactor: async folder => {
			const reactor = await channelIn(folder).status();
			return {
				isWorkedOn: traceId => isHandledBy(reactor, traceId),
				problems: reactor?.problems ?? (await readAwaiting(files, {root, folder})),
			};
		},
		...{env, ...networks},
		foreignHive: async () => {
			const first = await processes.which('hive');
			const ownFolder = fileURLToPath(new URL('.', import.meta.url));
			return first !== undefined && (await isForeignCommand(first, ownFolder)) ? first : undefined;
		},
	});
};
