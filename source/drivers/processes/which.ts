import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, join} from 'node:path';

/**
 * Returns the first executable regular file of that name on PATH. A name with a slash is checked as a path.
 */
export const findExecutable = async (name: string, path: string): Promise<string | undefined> => {
	const candidates = name.includes('/')
		? [name]
		: // An empty entry means the working directory, from which running programs is unsafe.
			path.split(delimiter).flatMap(folder => (folder && name ? [join(folder, name)] : []));
	return candidates.find(isExecutable);
};

const isExecutable = (path: string): boolean => {
	try {
		if (statSync(path, {throwIfNoEntry: false})?.isFile() !== true) return false;
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};
