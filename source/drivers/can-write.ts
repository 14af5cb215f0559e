import {closeSync, openSync} from 'node:fs';

/**
 * True if an existing file can be opened for writing. The file is not changed. `access` would not do, since
 * some sandboxes refuse only the opening.
 */
export const canWrite = (path: string): boolean => {
	try {
		closeSync(openSync(path, 'r+'));
		return true;
	} catch {
		return false;
	}
};
