import {readFile, realpath, stat} from 'node:fs/promises';
import {sep} from 'node:path';

/** Max bytes of a launcher. Larger files are programs. */
const maxLauncherBytes = 4096;

/**
 * True if the executable at `path` is not this hive. This hive's executables are in `ownFolder` (links
 * followed), or are small scripts that start `hive.cjs`, as package managers write them.
 */
export const isForeignCommand = async (path: string, ownFolder: string): Promise<boolean> => {
	const [real, own] = await Promise.all([realpath(path), realpath(ownFolder)]);
	if (real.startsWith(own + sep)) return false;
	const {size} = await stat(real);
	return size > maxLauncherBytes || !(await readFile(real, 'utf8')).includes('hive.cjs');
};
