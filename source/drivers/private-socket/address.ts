import {existsSync} from 'node:fs';
import {lstat, mkdir} from 'node:fs/promises';

/** Kernels take socket paths of 103 bytes (macOS) or 107 (Linux). */
const longestPath = 100;

/** Not the temporary folder of the environment: it may differ between the reactor and an agent. */
const shortFolder = () => `/tmp/hive-${process.getuid?.() ?? 'user'}`;

/** Where to listen and connect for a socket path: the path itself, or a short stand-in that every process derives alike. */
export const socketAddress = async (socket: string): Promise<string> => {
	if (Buffer.byteLength(socket) <= longestPath) return socket;
	const {createHash} = await import('node:crypto');
	return `${shortFolder()}/${createHash('sha256').update(socket).digest('hex').slice(0, 32)}.sock`;
};

/** True unless the stand-in's folder belongs to somebody else, who could then listen in our place. */
export const isOwnAddress = async (socket: string, address: string): Promise<boolean> =>
	address === socket || isPrivateFolder(shortFolder());

/** True for a folder, not a link to one, that is this user's and closed to everybody else. */
export const isPrivateFolder = async (path: string): Promise<boolean> => {
	const found = await lstat(path).catch(() => undefined);
	return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
};

/** Where to connect; nothing when nobody listens there, or somebody else does. */
export const addressOfListener = async (socket: string): Promise<string | undefined> => {
	const address = await socketAddress(socket);
	return existsSync(address) && (await isOwnAddress(socket, address)) ? address : undefined;
};

export const makeShortFolder = async (): Promise<void> => {
	await mkdir(shortFolder(), {recursive: true, mode: 0o700});
};
