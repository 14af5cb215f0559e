import {existsSync} from 'node:fs';
import {lstat, readlink} from 'node:fs/promises';
import {basename, dirname, isAbsolute} from 'node:path';
import {isPrivateFolder, usualFolder} from './stand-in-folder.ts';

/** Kernels take socket paths of 103 bytes (macOS) or 107 (Linux). */
const longestPath = 100;

export const isTooLong = (path: string): boolean => Buffer.byteLength(path) > longestPath;

/** Of the short stand-in for a socket path that is too long: every process derives the same. */
export const standInName = async (socket: string): Promise<string> => {
	const {createHash} = await import('node:crypto');
	return `${createHash('sha256').update(socket).digest('hex').slice(0, 32)}.sock`;
};

/**
 * Where to connect; nothing when nobody listens there, or another user does. The stand-in of a long path is
 * where a link in its place leads, else in the usual folder: the environment of who listens may be another.
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
 * A clone may have a link there to a socket of another program: what it leads to has this name, or counts as
 * none.
 */
const linkedFrom = async (socket: string, name: string): Promise<string | undefined> => {
	const found = await lstat(socket).catch(() => undefined);
	const address = found?.isSymbolicLink() ? await readlink(socket).catch(() => '') : '';
	return isAbsolute(address) && basename(address) === name ? address : undefined;
};
