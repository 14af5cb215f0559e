import {closeSync, openSync} from 'node:fs';

/**
 * Whether this process may write to a file that is there. It is opened and left as it is: not every sandbox
 * tells before.
 */
export const canWrite = (path: string): boolean => {
	try {
		closeSync(openSync(path, 'r+'));
		return true;
	} catch {
		return false;
	}
};
