import {once} from 'node:events';
import {connect, createServer, type Socket} from 'node:net';

/** A proxy between a client and a port of this machine that simulates a bad network. */
export type TcpProxy = {
	readonly port: number;
	/** Ends every connection, and accepts none until `mend`. */
	readonly cut: () => void;
	readonly mend: () => void;
	/** Keeps connections but forwards nothing until `release`. Then all data is forwarded in order. */
	readonly hold: () => void;
	readonly release: () => void;
	readonly close: () => Promise<void>;
};

export type Delay = {
	/** The delay of each piece, in milliseconds. */
	readonly delayMs?: number;
	/** The maximum size of a forwarded piece, in bytes. */
	readonly pieces?: number;
};

/** Replaces the data that a client sent, as Latin-1. */
export type Alteration = {readonly alter?: (sent: string) => string};

export const startTcpProxy = async (
	to: number,
	{delayMs = 0, pieces = Number.POSITIVE_INFINITY, alter}: Delay & Alteration = {},
): Promise<TcpProxy> => {
	const sockets = new Set<Socket>();
	let isCut = false;
	let passing = Promise.resolve();
	let release = () => {};

	const forward = (from: Socket, into: Socket, change: Alteration['alter']) => {
		let before = Promise.resolve();
		from.on('data', (read: Buffer) => {
			const data = change ? Buffer.from(change(read.toString('latin1')), 'latin1') : read;
			const arrival = delayMs > 0 ? new Promise(resolve => setTimeout(resolve, delayMs)) : undefined;
			before = before.then(async () => {
				await Promise.all([arrival, passing]);
				for (let start = 0; start < data.length; start += pieces) {
					if (into.destroyed) return;
					await new Promise(resolve => into.write(data.subarray(start, start + pieces), resolve));
				}
			});
		});
		from.on('error', () => {});
		from.on('close', () => {
			sockets.delete(from);
			into.destroy();
		});
		sockets.add(from);
	};
	const server = createServer(client => {
		if (isCut) return client.resetAndDestroy();
		const upstream = connect(to, '127.0.0.1');
		for (const socket of [client, upstream]) socket.setNoDelay(true);
		forward(client, upstream, alter);
		forward(upstream, client, undefined);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');

	const drop = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		port: address.port,
		cut: () => {
			isCut = true;
			drop();
		},
		mend: () => {
			isCut = false;
		},
		hold: () => {
			passing = new Promise(resolve => {
				release = resolve;
			});
		},
		release: () => release(),
		close: async () => {
			release();
			drop();
			server.close();
			await once(server, 'close');
		},
	};
};
