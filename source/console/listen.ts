import type {Server} from 'node:http';
import {type AddressInfo, isIPv6, type Socket} from 'node:net';
import {createAdaptorServer} from '@hono/node-server';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Connection} from './app.ts';

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
/** Of a connection on which nothing moves: one that does not read its answer, or waits for one that never comes. */
const idleMilliseconds = 10 * 60_000;
const checkMilliseconds = 1000;

/** Answers HTTP there until it is closed. Refused where nobody can listen. */
export const listen = async (
	fetch: (request: Request, connection: Connection) => Response | Promise<Response>,
	{host, port}: Address,
): Promise<Outcome<Listening>> => {
	/** Connections on which nobody was let in yet, the oldest first. */
	const strangers = new Set<Socket>();
	const server = createAdaptorServer({
		fetch: (request, {incoming, outgoing}) =>
			fetch(request, {incoming, outgoing, letIn: () => strangers.delete(incoming.socket as Socket)}),
		serverOptions: {
			...limits,
			maxHeaderSize: largestHeaders,
			connectionsCheckingInterval: checkMilliseconds,
			requireHostHeader: true,
		},
	}) as Server;
	server.timeout = idleMilliseconds;
	server.maxHeadersCount = 100;
	let clients = 0;
	server.on('connection', (socket: Socket) => {
		clients += 1;
		strangers.add(socket);
		socket.once('close', () => {
			clients -= 1;
			strangers.delete(socket);
		});
		// Whoever opens many and says nothing keeps nobody out.
		const [oldest] = strangers;
		if (clients > mostClients) oldest?.destroy();
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

/** As a browser is given it. */
export const urlOf = ({host, port}: Address): string => {
	const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	return `http://${isIPv6(shown) ? `[${shown}]` : shown}:${port}`;
};
