import {join} from 'node:path';
import type {Detail} from '../../domain/errors.ts';
import type {Files} from '../../ports/files.ts';

/**
 * Finds symbolic links among root-relative paths and their folders: they could lead anywhere
 * (docs/reliability.md I14).
 */
export const findLinks = async (paths: Iterable<string>, root: string, files: Files): Promise<Detail[]> => {
	const prefixes = new Set(
		[...paths].flatMap(path => path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))),
	);
	const found = await Promise.all(
		[...prefixes].map(async path => ((await files.isLink(join(root, path))) ? [path] : [])),
	);
	return found.flat().map(path => ({
		path,
		message: 'is a symbolic link, and a nuc goes through none',
		hint: 'Replace it with a real file or folder.',
	}));
};
