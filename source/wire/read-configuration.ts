import type {ConfigContext} from '../actions/context.ts';
import {loadColony} from '../colony/load-colony.ts';
import {expectAccepted} from '../domain/errors.ts';
import type {Surroundings} from '../host/host.ts';
import {machineFolder} from '../host/locate-colony.ts';
import {files} from './drivers.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';
import {writeAcceptedIn} from './write-accepted.ts';

/**
 * Reads the colony's files, without opening the log. Throws `not_a_repository`, `no_colony`,
 * `invalid_config`.
 */
export const readConfiguration = async ({cwd, env}: Surroundings): Promise<ConfigContext> => {
	const root = env.HIVE_COLONY_ROOT || (await findRoot(cwd));
	const colony = expectAccepted(await loadColony(files, root));
	return {
		colony,
		files,
		writeAccepted: writeAcceptedIn(machineFolder(env, root, colony.slug)),
		insideRun: await findInsideRun(env, root),
	};
};
