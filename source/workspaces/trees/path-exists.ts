import {lstat} from 'node:fs/promises';

/** True also for a dangling link. False also when the path cannot be examined. */
export const pathExists = (path: string): Promise<boolean> =>
	lstat(path).then(
		() => true,
		() => false,
	);
