import {createHash} from 'node:crypto';
import {createReadStream, readdirSync} from 'node:fs';
import {realpath, stat} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {compareText} from '../domain/compare-text.ts';

/** Max bytes of a file that is hashed. Larger files are compared by size and time only. */
const maxHashedBytes = 64 * 1024 * 1024;

/**
 * Returns the SHA-256 of each regular file below a folder, by path, relative and with slashes. Unwanted names
 * are left out, with everything below them. A link counts if it leads to a file in the folder; linked folders
 * are not entered. An empty folder costs one read.
 */
export const hashFolder = async (
	folder: string,
	isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, string>> => {
	const hashes = new Map<string, string>();
	const visit = async (relative: string): Promise<void> => {
		const entries = readdirSync(join(folder, relative), {withFileTypes: true});
		for (const entry of entries.sort((one, other) => compareText(one.name, other.name))) {
			const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
			if (!isWanted(entry.name)) continue;
			if (entry.isDirectory()) await visit(path);
			else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsInto(folder, join(folder, path))))) {
				hashes.set(path, await hashFile(join(folder, path)));
			}
		}
	};
	await visit('');
	return hashes;
};

const leadsInto = async (folder: string, path: string): Promise<boolean> => {
	try {
		const inside = `${await realpath(folder)}${sep}`;
		return (await realpath(path)).startsWith(inside) && (await stat(path)).isFile();
	} catch {
		return false;
	}
};

const hashFile = async (path: string): Promise<string> => {
	const {size, mtimeMs} = await stat(path);
	if (size > maxHashedBytes) return `${size}-${mtimeMs}`;
	const hash = createHash('sha256');
	await pipeline(createReadStream(path), hash);
	return hash.digest('hex');
};
