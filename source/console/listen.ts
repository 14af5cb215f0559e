import type {Server} from 'node:http';
import {type AddressInfo, isIPv6, type Socket} from 'node:net';
import {createAdaptorServer} from '@hono/node-server';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Connection} from './call.ts';

/** Where the console listens. */
export type Address = {readonly host: string; readonly port: number};

export const defaultAddress = '127.0.0.1:8787';

/** `127.0.0.1:8787`, `[::1]:8787`, `0.0.0.0:8787`; port 0 is one that is free. */
export const readAddress = (text: string): Outcome<Address> => {
	const [, ipv6, name, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
	const host = ipv6 ?? name;
	return host === undefined || Number(port) > 65_535
		? refuse('usage', {message: `"${text}" is no address; write <host>:<port>, such as ${defaultAddress}.`})
		: accepted({host, port: Number(port)});
};

/** Only processes of this machine reach it. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/i.test(host);

export type Listening = {readonly port: number; readonly close: () => Promise<void>};

/** Milliseconds. */
const limits = {headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000};
const largestHeaders = 16 * 1024;
const mostClients = 256;
/** Connections that are kept before a request on them was let in. Each connection begins as one of them. */
const mostStrangers = 64;
/**
 * Of a connection on which nothing moves: one that does not read its answer, or waits for one that never
 * comes.
 */
const idleMilliseconds = 10 * 60_000;
const checkMilliseconds = 1000;

/** Answers HTTP there until it is closed. Refused where nobody can listen. */
export const listen = async (
	fetch: (request: Request, connection: Connection) => Response | Promise<Response>,
	{host, port}: Address,
): Promise<Outcome<Listening>> => {
	/** Connections, the oldest first, by the credential that was let in on them last; empty for a stranger. */
	const owners = new Map<Socket, string>();
	const server = createAdaptorServer({
		fetch: (request, {incoming, outgoing}) =>
			fetch(request, {
				...{incoming, outgoing},
				letIn: credential => {
					const socket = incoming.socket as Socket;
					if (owners.has(socket)) owners.set(socket, credential);
				},
			}),
		serverOptions: {
			...limits,
			maxHeaderSize: largestHeaders,
			connectionsCheckingInterval: checkMilliseconds,
			requireHostHeader: true,
		},
	}) as Server;
	server.timeout = idleMilliseconds;
	server.maxHeadersCount = 100;
	server.on('connection', (socket: Socket) => {
		const given = owners.size < mostClients ? undefined : oneTooMany(owners);
		if (given !== undefined) owners.delete(given.destroy());
		owners.set(socket, '');
		socket.once('close', () => owners.delete(socket));
	});
	const problem = await new Promise<Error | undefined>(resolve => {
		server.once('error', resolve);
		server.listen(port, host, () => resolve(undefined));
	});
	if (problem !== undefined)
		return refuse('address_unusable', {message: `Nobody can listen at ${host}:${port}: ${problem.message}.`});
	const {port: own} = server.address() as AddressInfo;
	return accepted({
		port: own,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	});
};

/**
 * The connection that makes room: the oldest stranger where there are many strangers, else the oldest of the
 * credential with most.
 */
const oneTooMany = (owners: ReadonlyMap<Socket, string>): Socket | undefined => {
	const counts = new Map<string, number>();
	for (const owner of owners.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
	const strangers = counts.get('') ?? 0;
	counts.delete('');
	const most = Math.max(0, ...counts.values());
	const [crowd] = [...counts].find(([, count]) => count === most) ?? [];
	const chosen = strangers > mostStrangers ? '' : crowd;
	return [...owners].find(([, owner]) => owner === chosen)?.[0];
};

/** As a browser is given it. */
export const urlOf = ({host, port}: Address): string => {
	const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	return `http://${isIPv6(shown) ? `[${shown}]` : shown}:${port}`;
};
