import {lstat} from 'node:fs/promises';

/** True for a link, wherever it leads. False also where the path cannot be looked at. */
export const pathExists = (path: string): Promise<boolean> =>
	lstat(path).then(
		() => true,
		() => false,
	);
