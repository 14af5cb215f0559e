import {chmodSync, lstatSync, readdirSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * Removes a file or folder with all its contents; does nothing if there is none. Folders without write
 * permission, as an agent may leave them, are opened first. Throws the system's error.
 */
export const removeWhole = async (path: string): Promise<void> => {
	try {
		await rm(path, {recursive: true, force: true});
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
		openFolders(path);
		await rm(path, {recursive: true, force: true});
	}
};

/** Makes the folders writable. Links are not followed. */
const openFolders = (path: string): void => {
	const found = lstatSync(path, {throwIfNoEntry: false});
	if (!found?.isDirectory()) return;
	if ((found.mode & 0o700) !== 0o700) chmodSync(path, (found.mode & 0o7777) | 0o700);
	for (const entry of readdirSync(path, {withFileTypes: true}))
		if (entry.isDirectory()) openFolders(join(path, entry.name));
};
