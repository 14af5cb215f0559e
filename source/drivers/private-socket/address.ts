import {existsSync} from 'node:fs';
import {lstat, readlink} from 'node:fs/promises';
import {basename, dirname, isAbsolute} from 'node:path';
import {isPrivateFolder, usualFolder} from './stand-in-folder.ts';

/** Max bytes of a socket path. Kernels accept 103 (macOS) or 107 (Linux). */
const maxPathLength = 100;

export const isTooLong = (path: string): boolean => Buffer.byteLength(path) > maxPathLength;

/**
 * Returns the name of the short stand-in for a socket path that is too long. Every process derives the same
 * name.
 */
export const standInName = async (socket: string): Promise<string> => {
	const {createHash} = await import('node:crypto');
	return `${createHash('sha256').update(socket).digest('hex').slice(0, 32)}.sock`;
};

/**
 * Returns the address to connect to; undefined if no process listens there, or the folder is not private to
 * this user. The stand-in of a long path is where a link in its place leads, else in the usual folder. The
 * listener's environment may differ from this one's.
 */
export const addressOfListener = async (socket: string): Promise<string | undefined> => {
	if (!isTooLong(socket)) return existsSync(socket) ? socket : undefined;
	const name = await standInName(socket);
	for (const address of [await linkedFrom(socket, name), `${usualFolder()}/${name}`])
		if (address !== undefined && existsSync(address) && (await isPrivateFolder(dirname(address))))
			return address;
	return undefined;
};

/**
 * Returns the address that a link at the socket's path leads to. A clone may contain a link there to another
 * program's socket, so an address with another name is ignored.
 */
const linkedFrom = async (socket: string, name: string): Promise<string | undefined> => {
	const found = await lstat(socket).catch(() => undefined);
	const address = found?.isSymbolicLink() ? await readlink(socket).catch(() => '') : '';
	return isAbsolute(address) && basename(address) === name ? address : undefined;
};
