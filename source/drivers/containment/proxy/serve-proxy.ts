import {lookup} from 'node:dns/promises';
import {connect, createServer, type Server, type Socket} from 'node:net';
import {type AskedHost, type HostRule, ruleFor} from '../../../domain/host-rule.ts';
import {maxRequestBytes, readRequest} from './read-request.ts';
import {mayReach} from './targets.ts';

const maxConnections = 128;
/** Milliseconds for a request to arrive, and for its connection. */
const openMs = 15_000;
/** Milliseconds without traffic after which a connection ends. */
const idleMs = 600_000;

/**
 * Serves CONNECT to the hosts of the rules. Its callers are hostile. `asked` is called with each host that is
 * asked for.
 */
export const createProxy = (rules: readonly HostRule[], asked: (host: AskedHost) => void): Server => {
	const server = createServer(client => {
		client.on('error', () => client.destroy());
		serve(client, rules, asked).catch(() => client.destroy());
	});
	server.maxConnections = maxConnections;
	return server;
};

const serve = async (
	client: Socket,
	rules: readonly HostRule[],
	asked: (host: AskedHost) => void,
): Promise<void> => {
	const read = await readHead(client);
	if (read === undefined) return void client.destroy();
	const request = readRequest(read.head);
	if ('status' in request) return refuse(client, request.status, request.words);
	const {host, port} = request;
	const rule = ruleFor(rules, host, port);
	const address = rule && (await addressOf(rule, host));
	asked({host, port, allowed: address !== undefined});
	if (address === undefined) return refuse(client, 403, 'Not one of the hosts of this bee');
	const target = connect({host: address, port});
	target.setTimeout(openMs, () => target.destroy());
	target.once('error', () => refuse(client, 502, 'Bad Gateway'));
	target.once('connect', () => {
		target.removeAllListeners('error');
		join(client, target);
		client.write('HTTP/1.1 200 Connection established\r\n\r\n');
		if (read.rest.length > 0) target.write(read.rest);
	});
	client.once('close', () => target.destroy());
};

const join = (client: Socket, target: Socket): void => {
	for (const [from, to] of [
		[client, target],
		[target, client],
	] as const) {
		from.setTimeout(idleMs, () => from.destroy());
		from.on('error', () => from.destroy());
		from.once('close', () => to.destroy());
		from.pipe(to);
	}
};

const refuse = (client: Socket, status: number, words: string): void => {
	client.end(`HTTP/1.1 ${status} ${words}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
};

/** The first address that the rule allows. */
const addressOf = async (rule: HostRule, host: string): Promise<string | undefined> => {
	const found = await lookup(host, {all: true}).catch(() => []);
	return found.map(({address}) => address).find(address => mayReach(rule, address));
};

/** Reads up to the end of the headers. Undefined if they are too long or too late. */
const readHead = (client: Socket): Promise<{head: string; rest: Buffer} | undefined> =>
	new Promise(resolve => {
		let bytes = Buffer.alloc(0);
		const end = (value?: {head: string; rest: Buffer}): void => {
			client.off('data', take);
			clearTimeout(timer);
			if (value !== undefined) client.pause();
			resolve(value);
		};
		const timer = setTimeout(() => end(), openMs);
		const take = (part: Buffer): void => {
			bytes = Buffer.concat([bytes, part]);
			const at = bytes.indexOf('\r\n\r\n');
			if (at >= 0) end({head: bytes.subarray(0, at + 2).toString('latin1'), rest: bytes.subarray(at + 4)});
			else if (bytes.length > maxRequestBytes) end();
		};
		client.on('data', take);
		client.once('close', () => end());
	});
