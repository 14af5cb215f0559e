import type {Files} from '../ports/files.ts';

/**
 * Files that only seem to be written: later reads see the new text, and the disk stays as it is. `written`
 * has the texts by path, in order.
 */
export const draftFiles = (
	files: Files,
): {readonly files: Files; readonly written: ReadonlyMap<string, string>} => {
	const written = new Map<string, string>();
	const read: Files['read'] = async path => written.get(path) ?? files.read(path);
	const write: Files['write'] = async (path, text) => {
		written.set(path, text);
	};
	const create: Files['create'] = async (path, text) => {
		if ((await read(path)) !== undefined) return false;
		written.set(path, text);
		return true;
	};
	return {files: {...files, read, write, create}, written};
};
