import {dirname, join} from 'node:path';
import type {Files} from '../../ports/files.ts';

/** Returns the files with these texts layered over them, by root-relative path. For reading only. */
export const layerTexts = (files: Files, root: string, texts: ReadonlyMap<string, string>): Files => {
	const layer = new Map([...texts].map(([path, text]) => [join(root, path), text]));
	return {
		...files,
		read: async path => layer.get(path) ?? files.read(path),
		list: async folder => {
			const added = [...layer.keys()].filter(path => dirname(path) === folder);
			const names = added.map(path => path.slice(folder.length + 1));
			return [...new Set([...(await files.list(folder)), ...names])].sort();
		},
	};
};
