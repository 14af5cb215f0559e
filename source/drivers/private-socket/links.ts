import {connect, createServer, type Socket} from 'node:net';
import type {Connection, OpenConnection, ServeConnections} from '../../ports/connection.ts';
import {addressOfListener} from './address.ts';
import {listenPrivately} from './listen.ts';

/** Max milliseconds for the other side to receive all sent bytes before the end. */
const closeTimeoutMs = 3000;

export const serveLinks: ServeConnections = async (path, onLink) => {
	const open = new Set<Socket>();
	const server = createServer(socket => {
		open.add(socket);
		socket.on('close', () => open.delete(socket));
		onLink(linkOf(socket));
	});
	await listenPrivately(server, path);
	return () =>
		new Promise(resolve => {
			const timer = setTimeout(() => cutAll(open), closeTimeoutMs);
			server.close(() => {
				clearTimeout(timer);
				resolve();
			});
			for (const socket of open) socket.destroySoon();
		});
};

const cutAll = (sockets: Iterable<Socket>): void => {
	for (const socket of sockets) socket.destroy();
};

export const openLink: OpenConnection = async path => {
	const address = await addressOfListener(path);
	if (address === undefined) return undefined;
	const socket = connect(address);
	return new Promise(resolve => {
		socket.once('error', () => resolve(undefined));
		socket.once('connect', () => resolve(linkOf(socket)));
	});
};

const linkOf = (socket: Socket): Connection => {
	// A close event always follows, and `onEnd` reports it.
	socket.on('error', () => {});
	return {
		send: bytes => {
			if (socket.writable) socket.write(bytes);
		},
		unsentBytes: () => socket.writableLength,
		onDrained: call => void socket.on('drain', call),
		onData: call => void socket.on('data', call),
		onEnd: call => void socket.once('close', call),
		pause: () => void socket.pause(),
		resume: () => void socket.resume(),
		end: () => void socket.end(),
		destroy: () => void socket.destroy(),
	};
};
