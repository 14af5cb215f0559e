import {randomUUID} from 'node:crypto';
import {lstat, readdir, rename, rm} from 'node:fs/promises';
import {connect} from 'node:net';
import {join} from 'node:path';

/** Milliseconds that a process may take between the socket's file and its first listen. */
const newFor = 60_000;

/**
 * Removes the sockets in a folder of this user on which no process listens any more. A killed process leaves
 * its own.
 */
export const removeDeadSockets = async (folder: string): Promise<void> => {
	const names = await readdir(folder).catch(() => []);
	await Promise.all(
		names.map(async name => {
			const path = join(folder, name);
			if ((await isOldSocket(path)) && (await isRefused(path))) await removeUnlessAlive(path);
		}),
	);
};

/**
 * Another process may begin to listen at this path meanwhile. So the socket is renamed first, and only the
 * renamed one is checked again and removed.
 */
const removeUnlessAlive = async (path: string): Promise<void> => {
	const aside = `${path}.${randomUUID().slice(0, 8)}`;
	await rename(path, aside).catch(() => {});
	if (await isRefused(aside)) await rm(aside, {force: true});
	else await rename(aside, path).catch(() => {});
};

const isOldSocket = async (path: string): Promise<boolean> => {
	const found = await lstat(path).catch(() => undefined);
	return found?.isSocket() === true && Date.now() - found.mtimeMs > newFor;
};

/** True if the connection is refused. A slow listener does not refuse. */
const isRefused = (path: string): Promise<boolean> =>
	new Promise(resolve => {
		const socket = connect(path);
		socket.once('error', error => resolve('code' in error && error.code === 'ECONNREFUSED'));
		socket.once('connect', () => {
			socket.destroy();
			resolve(false);
		});
	});
