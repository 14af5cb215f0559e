import {randomUUID} from 'node:crypto';
import {rename, rm, symlink} from 'node:fs/promises';
import type {Server} from 'node:net';
import {HiveError} from '../../domain/errors.ts';
import {isTooLong, standInName} from './address.ts';
import {removeDeadSockets} from './dead-sockets.ts';
import {findStandInFolder, usualFolder} from './stand-in-folder.ts';

/**
 * Listens on the socket, for this user only. It replaces an existing socket file, so the caller must be the
 * only process that may listen there.
 * @throws HiveError `bus_unreachable`
 */
export const listenPrivately = async (server: Server, socket: string): Promise<void> => {
	try {
		await listen(server, isTooLong(socket) ? await makeStandIn(socket) : await makeRoom(socket));
	} catch (cause) {
		if (cause instanceof HiveError) throw cause;
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new HiveError('bus_unreachable', {message: `Cannot listen on ${socket}: ${reason}.`, cause});
	}
};

const makeRoom = async (address: string): Promise<string> => {
	await rm(address, {force: true});
	return address;
};

/**
 * Returns a short address for the socket. If it is outside the usual folder, a link in the place of the
 * socket leads to it.
 */
const makeStandIn = async (socket: string): Promise<string> => {
	const folder = await findStandInFolder();
	if (folder === undefined)
		throw new HiveError('bus_unreachable', {
			message: `There is no folder for a socket: ${usualFolder()} is not this user's alone, and no other can be made in /tmp.`,
			hint: 'Set XDG_RUNTIME_DIR to a folder of your own with mode 0700, or move the checkout to a shorter path.',
		});
	// Only this folder needs it: any other socket is in the folder of its owner, and is removed with that
	// folder.
	await removeDeadSockets(folder);
	const address = await makeRoom(`${folder}/${await standInName(socket)}`);
	if (folder === usualFolder()) await rm(socket, {force: true});
	else await replaceSymlink(address, socket);
	return address;
};

/** Places the link in one step, since other processes may look for it at any time. */
const replaceSymlink = async (target: string, path: string): Promise<void> => {
	const unfinished = `${path}.${randomUUID().slice(0, 8)}`;
	await symlink(target, unfinished);
	await rename(unfinished, path);
};

const listen = (server: Server, address: string): Promise<void> =>
	new Promise((resolve, reject) => {
		server.once('error', reject);
		const groupAndOthers = 0o177;
		const before = process.umask(groupAndOthers);
		server.listen(address, resolve);
		process.umask(before);
	});
