import {realpath} from 'node:fs/promises';
import {dirname, posix, sep} from 'node:path';

/** True if a link at this path of a checkout leads to a place of the same checkout. */
export const staysInside = (link: string, target: string): boolean => {
	const leads = posix.normalize(posix.join(posix.dirname(link), target));
	return !target.startsWith('/') && leads !== '..' && !leads.startsWith('../');
};

/** True if the nearest existing folder, with links resolved, is in the worktree. */
export const isInside = async (worktree: string, folder: string): Promise<boolean> => {
	const real = await realpath(folder).catch(() => undefined);
	if (real === undefined) return isInside(worktree, dirname(folder));
	return real === worktree || real.startsWith(worktree + sep);
};
