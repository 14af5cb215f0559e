import {closeSync, openSync} from 'node:fs';

/**
 * True if this process may write to an existing file. The file is opened and stays unchanged: some sandboxes
 * report no permission in advance.
 */
export const canWrite = (path: string): boolean => {
	try {
		closeSync(openSync(path, 'r+'));
		return true;
	} catch {
		return false;
	}
};
