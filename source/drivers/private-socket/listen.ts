import {randomUUID} from 'node:crypto';
import {rename, rm, symlink} from 'node:fs/promises';
import type {Server} from 'node:net';
import {HiveError} from '../../domain/errors.ts';
import {isTooLong, standInName} from './address.ts';
import {removeDeadSockets} from './dead-sockets.ts';
import {findStandInFolder, usualFolder} from './stand-in-folder.ts';

/**
 * Listens on the socket, for this user only. Replaces a socket file that is there, so whoever calls it must
 * be the only one that may.
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
 * A short address for it. One that is not in the usual folder is found by a link in the place of the socket.
 */
const makeStandIn = async (socket: string): Promise<string> => {
	const folder = await findStandInFolder();
	if (folder === undefined)
		throw new HiveError('bus_unreachable', {
			message: `There is no folder for a socket: ${usualFolder()} is not this user's alone, and no other can be made in /tmp.`,
			hint: 'Set XDG_RUNTIME_DIR to a folder of your own with mode 0700, or move the checkout to a shorter path.',
		});
	// Elsewhere a socket is in the folder of what it belongs to, and goes with it.
	await removeDeadSockets(folder);
	const address = await makeRoom(`${folder}/${await standInName(socket)}`);
	if (folder === usualFolder()) await rm(socket, {force: true});
	else await placeLink(address, socket);
	return address;
};

/** In one step: others look for it at any time. */
const placeLink = async (target: string, path: string): Promise<void> => {
	const unfinished = `${path}.${randomUUID().slice(0, 8)}`;
	await symlink(target, unfinished);
	await rename(unfinished, path);
};

const listen = (server: Server, address: string): Promise<void> =>
	new Promise((resolve, reject) => {
		server.once('error', reject);
		const everybodyElse = 0o177;
		const before = process.umask(everybodyElse);
		server.listen(address, resolve);
		process.umask(before);
	});
