import type {Server} from 'node:http';
import {type AddressInfo, isIPv6, type Socket} from 'node:net';
import {createAdaptorServer} from '@hono/node-server';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Connection} from './call.ts';

/** The address that the console listens on. */
export type Address = {readonly host: string; readonly port: number};

export const defaultAddress = '127.0.0.1:8787';

/** Reads `127.0.0.1:8787`, `[::1]:8787` or `0.0.0.0:8787`. Port 0 selects a free port. */
export const readAddress = (text: string): Outcome<Address> => {
	const [, ipv6, name, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
	const host = ipv6 ?? name;
	return host === undefined || Number(port) > 65_535
		? refuse('usage', {message: `"${text}" is no address; write <host>:<port>, such as ${defaultAddress}.`})
		: accepted({host, port: Number(port)});
};

/** True if only processes of this machine can reach the host. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/i.test(host);

export type ListeningServer = {readonly port: number; readonly close: () => Promise<void>};

/** Milliseconds. */
const limits = {headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000};
const maxHeaderBytes = 16 * 1024;
const maxConnections = 256;
/** Max connections on which no request was authorized yet. Every connection begins so. */
const maxUnauthorized = 64;
/**
 * Milliseconds after which an idle connection is closed: its client does not read the answer, or sends no
 * request.
 */
const idleTimeoutMs = 10 * 60_000;
const checkIntervalMs = 1000;

/** Serves HTTP at the address until it is closed. Refused if the address cannot be listened on. */
export const listen = async (
	fetch: (request: Request, connection: Connection) => Response | Promise<Response>,
	{host, port}: Address,
): Promise<Outcome<ListeningServer>> => {
	/**
	 * Open connections, the oldest first, each with the credential that was last authorized on it. Empty if
	 * none was.
	 */
	const owners = new Map<Socket, string>();
	const server = createAdaptorServer({
		fetch: (request, {incoming, outgoing}) =>
			fetch(request, {
				...{incoming, outgoing},
				authorize: credential => {
					const socket = incoming.socket as Socket;
					if (owners.has(socket)) owners.set(socket, credential);
				},
			}),
		serverOptions: {
			...limits,
			maxHeaderSize: maxHeaderBytes,
			connectionsCheckingInterval: checkIntervalMs,
			requireHostHeader: true,
		},
	}) as Server;
	server.timeout = idleTimeoutMs;
	server.maxHeadersCount = 100;
	server.on('connection', (socket: Socket) => {
		const given = owners.size < maxConnections ? undefined : connectionToDrop(owners);
		if (given !== undefined) owners.delete(given.destroy());
		owners.set(socket, '');
		socket.once('close', () => owners.delete(socket));
	});
	const problem = await new Promise<Error | undefined>(resolve => {
		server.once('error', resolve);
		server.listen(port, host, () => resolve(undefined));
	});
	if (problem !== undefined)
		return refuse('address_unusable', {
			message: `The console cannot listen at ${host}:${port}: ${problem.message}.`,
		});
	const {port: actualPort} = server.address() as AddressInfo;
	return accepted({
		port: actualPort,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	});
};

/**
 * The connection to close when there are too many. It is the oldest unauthorized one if those exceed
 * `mostStrangers`, else the oldest of the credential with the most connections.
 */
const connectionToDrop = (owners: ReadonlyMap<Socket, string>): Socket | undefined => {
	const counts = new Map<string, number>();
	for (const owner of owners.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
	const unauthorizedCount = counts.get('') ?? 0;
	counts.delete('');
	const highestCount = Math.max(0, ...counts.values());
	const [busiestOwner] = [...counts].find(([, count]) => count === highestCount) ?? [];
	const chosen = unauthorizedCount > maxUnauthorized ? '' : busiestOwner;
	return [...owners].find(([, owner]) => owner === chosen)?.[0];
};

/** The URL to open in a browser. */
export const urlOf = ({host, port}: Address): string => {
	const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	return `http://${isIPv6(shown) ? `[${shown}]` : shown}:${port}`;
};
