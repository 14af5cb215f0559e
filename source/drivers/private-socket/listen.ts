import {rm} from 'node:fs/promises';
import type {Server} from 'node:net';
import {dirname} from 'node:path';
import {HiveError} from '../../domain/errors.ts';
import {isOwnAddress, makeShortFolder, socketAddress} from './address.ts';
import {removeDeadSockets} from './dead-sockets.ts';

/**
 * Listens on the socket, for this user only. Replaces a socket file that is there, so whoever calls it must be the only one that may.
 * @throws HiveError `bus_unreachable`
 */
export const listenPrivately = async (server: Server, socket: string): Promise<void> => {
	const address = await socketAddress(socket);
	if (address !== socket) await makeShortFolder();
	if (!(await isOwnAddress(socket, address)))
		throw new HiveError('bus_unreachable', {message: `The folder of ${address} belongs to somebody else.`});
	// Elsewhere a socket is in the folder of what it belongs to, and goes with it.
	if (address !== socket) await removeDeadSockets(dirname(address));
	await rm(address, {force: true});
	await new Promise<void>((resolve, reject) => {
		server.once('error', cause =>
			reject(
				new HiveError('bus_unreachable', {message: `Cannot listen on ${address}: ${cause.message}.`, cause}),
			),
		);
		const everybodyElse = 0o177;
		const before = process.umask(everybodyElse);
		server.listen(address, resolve);
		process.umask(before);
	});
};
