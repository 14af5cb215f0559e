import {access, constants, stat} from 'node:fs/promises';
import {delimiter, join} from 'node:path';

/** The first executable regular file of that name on PATH; a name with a slash is looked at where it points. */
export const findExecutable = async (name: string, path: string): Promise<string | undefined> => {
	const candidates = name.includes('/')
		? [name]
		: // An empty entry means the working directory, which nobody should run programs from.
			path.split(delimiter).flatMap(folder => (folder && name ? [join(folder, name)] : []));
	for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
	return undefined;
};

const isExecutable = async (path: string): Promise<boolean> => {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
};
