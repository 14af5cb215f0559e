import {execFile} from 'node:child_process';
import {randomBytes, randomInt} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:net';
import {promisify} from 'node:util';
import {type NatsServer, startNatsServer} from './nats-server.ts';
import {startTcpProxy} from './tcp-proxy.ts';

/** The way by which one of several machines reaches a server, and its faults. */
export type Connection = {
	/** The URL of the server for this machine. */
	readonly url: string;
	/** The program, with its arguments, that starts a command on the machine. */
	readonly under: readonly string[];
	/** Drops all packets, without an error for either side. */
	readonly cut: () => Promise<void>;
	readonly mend: () => Promise<void>;
};

export type Network = {
	readonly server: NatsServer;
	readonly links: readonly Connection[];
	/** Ends the server too, and removes all of the network. */
	readonly close: () => Promise<void>;
};

/**
 * Starts a server and machines that reach it. Each machine is in its own network namespace on one bridge or,
 * without the permission for that, behind its own proxy.
 */
export const startNetwork = (count: number, areApart: boolean): Promise<Network> =>
	areApart ? startApart(count) : startProxies(count);

/**
 * True if this machine lets its user create network namespaces that reach it. The check creates and removes
 * one.
 */
export const supportsNamespaces = async (): Promise<boolean> => {
	const topology = await layWires(1).catch(() => undefined);
	if (topology === undefined) return false;
	const listener = createServer().listen(0, topology.host);
	const isReached = await once(listener, 'listening').then(
		() => reaches(topology, listener.address()),
		() => false,
	);
	listener.close();
	await topology.remove();
	return isReached;
};

const reaches = async (
	{namespaces, host}: NetworkTopology,
	at: ReturnType<ReturnType<typeof createServer>['address']>,
) => {
	const port = typeof at === 'object' ? at?.port : undefined;
	const script = `require('node:net').connect(${port}, '${host}', process.exit).on('error', () => process.exit(1))`;
	const [program = '', ...args] = [...namespaces.flatMap(enter), process.execPath, '-e', script];
	return execute(program, args, {timeout: reachMilliseconds}).then(
		() => true,
		() => false,
	);
};

const reachMilliseconds = 10_000;

const startApart = async (count: number): Promise<Network> => {
	const {host, namespaces, addressOf, remove} = await layWires(count);
	const server = await startNatsServer('', host);
	return {
		server,
		links: namespaces.map(name => ({
			url: server.url,
			under: enter(name),
			cut: () => ip('link', 'set', addressOf(name), 'down'),
			mend: () => ip('link', 'set', addressOf(name), 'up'),
		})),
		close: async () => {
			await server.dispose();
			await remove();
		},
	};
};

const startProxies = async (count: number): Promise<Network> => {
	const server = await startNatsServer();
	const proxies = await Promise.all(Array.from({length: count}, () => startTcpProxy(server.port)));
	return {
		server,
		links: proxies.map(({port, hold, release}) => ({
			url: `nats://127.0.0.1:${port}`,
			under: [],
			cut: async () => hold(),
			mend: async () => release(),
		})),
		close: async () => {
			for (const {close} of proxies) await close();
			await server.dispose();
		},
	};
};

type NetworkTopology = {
	/** The address of this machine for the other machines. */
	readonly host: string;
	readonly namespaces: readonly string[];
	/** The end of the wire to a namespace that is on this machine. */
	readonly addressOf: (namespace: string) => string;
	readonly remove: () => Promise<void>;
};

/**
 * Creates network namespaces wired to a bridge of this machine, with unique names and addresses from a range
 * for tests.
 */
const layWires = async (count: number): Promise<NetworkTopology> => {
	const bridge = `hive${randomBytes(3).toString('hex')}`;
	const net = `198.${randomInt(18, 20)}.${randomInt(256)}`;
	const host = `${net}.1`;
	const namespaces = Array.from({length: count}, (_, index) => `${bridge}-${index}`);
	const addressOf = (namespace: string) => `${namespace}p`;
	const remove = async () => {
		for (const name of namespaces) {
			await ip('link', 'del', addressOf(name)).catch(() => {});
			await ip('netns', 'del', name).catch(() => {});
		}
		await ip('link', 'del', bridge).catch(() => {});
	};
	try {
		await ip('link', 'add', bridge, 'type', 'bridge');
		await ip('addr', 'add', `${host}/24`, 'dev', bridge);
		await ip('link', 'set', bridge, 'up');
		for (const [index, name] of namespaces.entries()) {
			await ip('netns', 'add', name);
			const within = ['-n', name];
			await ip('link', 'add', addressOf(name), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
			await ip('link', 'set', addressOf(name), 'master', bridge, 'up');
			await ip(...within, 'addr', 'add', `${net}.${index + 2}/24`, 'dev', 'eth0');
			for (const device of ['lo', 'eth0']) await ip(...within, 'link', 'set', device, 'up');
		}
	} catch (error) {
		await remove();
		throw error;
	}
	return {host, namespaces, addressOf, remove};
};

const execute = promisify(execFile);

const ip = async (...args: readonly string[]): Promise<void> => void (await execute('ip', [...args]));

const enter = (namespace: string): readonly string[] => ['ip', 'netns', 'exec', namespace];
