import {readFile, realpath, stat} from 'node:fs/promises';
import {sep} from 'node:path';

/** Larger files are programs, not launchers. */
const largestLauncher = 4096;

/**
 * Whether the executable at `path` is not this hive: it neither lies in `ownFolder` (links followed) nor is a
 * small script that starts `hive.cjs`, as package managers write them.
 */
export const isForeignCommand = async (path: string, ownFolder: string): Promise<boolean> => {
	const [real, own] = await Promise.all([realpath(path), realpath(ownFolder)]);
	if (real.startsWith(own + sep)) return false;
	const {size} = await stat(real);
	return size > largestLauncher || !(await readFile(real, 'utf8')).includes('hive.cjs');
};
