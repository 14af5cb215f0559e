import {loadColony} from '../colony/load-colony.ts';
import {expectAccepted} from '../domain/errors.ts';
import {locateColony, machineFolder} from '../host/locate-colony.ts';
import {files} from './drivers.ts';

/**
 * Returns the machine-local folder of the checkout at `root`. Throws `no_colony` and `invalid_config` if its
 * files do not determine it.
 */
export const findFolder = async (
	env: Readonly<Record<string, string | undefined>>,
	root: string,
): Promise<string> => {
	const slug = async () => expectAccepted(await loadColony(files, root)).slug;
	return locateColony(env, root)?.machineFolder ?? machineFolder(env, root, await slug());
};
