import {isAbsolute, relative, resolve} from 'node:path';
import type {Payload} from '../domain/event.ts';
import type {Files} from '../ports/files.ts';

/**
 * Returns the first file that an event names and that is in none of the folders; undefined if all exist
 * (docs/rules.md §5).
 */
export const findMissingFile = async (
	files: Files,
	payload: Payload,
	folders: readonly string[],
): Promise<string | undefined> => {
	for (const ref of refsOf(payload)) {
		if (!(await isFileIn(files, folders, ref))) return ref;
	}
	return undefined;
};

/** True if one of the folders has the file. A reference that leads out of a folder finds none. */
export const isFileIn = async (files: Files, folders: readonly string[], ref: string): Promise<boolean> => {
	const found = await Promise.all(folders.map(folder => holdsFile(files, folder, ref)));
	return found.includes(true);
};

const refsOf = ({kind, ref, artifacts}: Payload): readonly string[] => {
	const named: readonly unknown[] = kind === 'artifact.written' && Array.isArray(artifacts) ? artifacts : [];
	const refs = kind === 'spec.ready' ? [ref] : named.map(artifact => Object(artifact).ref);
	return refs.filter(text => typeof text === 'string');
};

const holdsFile = async (files: Files, folder: string, ref: string): Promise<boolean> => {
	const path = resolve(folder, ref);
	const inside = relative(folder, path);
	if (inside.startsWith('..') || isAbsolute(inside)) return false;
	try {
		const size = await files.size(path);
		// A folder has a size too, but reading it throws.
		if (size !== undefined && size > 0) await files.readBytes(path, 0, 1);
		return size !== undefined;
	} catch {
		return false;
	}
};
