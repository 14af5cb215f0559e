import type {Files} from '../../source/ports/files.ts';

/** Files as a map from absolute path to text, for tests that only read and write whole files. */
export const filesInMemory = (initial: Readonly<Record<string, string>> = {}) => {
	const texts = new Map(Object.entries(initial));
	const unused = () => {
		throw new Error('not part of this fake');
	};
	const files: Files = {
		read: async path => texts.get(path),
		readBytes: unused,
		isLink: async () => false,
		isPrivate: async () => true,
		size: async path => texts.get(path)?.length,
		writtenAt: unused,
		write: async (path, text) => {
			texts.set(path, text);
		},
		append: unused,
		create: async (path, text) => {
			if (texts.has(path)) return false;
			texts.set(path, text);
			return true;
		},
		list: async folder => {
			const below = [...texts.keys()].filter(path => path.startsWith(`${folder}/`));
			return [...new Set(below.map(path => path.slice(folder.length + 1).split('/')[0] ?? ''))].sort();
		},
		// A folder exists if a file is in it.
		makeFolder: async () => true,
		createFolder: unused,
		hashes: unused,
		remove: async path => {
			texts.delete(path);
		},
		move: unused,
		watch: unused,
	};
	return {files, texts};
};
