import type {Colony} from '../../source/colony/colony.ts';
import {loadColony} from '../../source/colony/load-colony.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {filesInMemory} from './files-in-memory.ts';

/** Creates a colony from texts by their path below `.hive/`. */
export const colonyFrom = async (texts: Readonly<Record<string, string>>): Promise<Colony> => {
	const paths = Object.entries({'colony.yaml': 'slug: shop\n', ...texts});
	const {files} = filesInMemory(
		Object.fromEntries(paths.map(([path, text]) => [`/repo/.hive/${path}`, text])),
	);
	return expectAccepted(await loadColony(files, '/repo'));
};
