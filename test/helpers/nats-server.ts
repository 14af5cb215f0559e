import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A NATS server with JetStream on a free port, for one test. */
export type NatsServer = {
	readonly url: string;
	readonly port: number;
	/** The folder of its stored data. */
	readonly store: string;
	/** Starts the server again on its port with its stored data, optionally with another configuration. */
	readonly start: (configuration?: string) => Promise<void>;
	/** Resolves once the server has ended. */
	readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
	/** Sends a signal, such as SIGSTOP: the server then keeps its connections and answers no client. */
	readonly signal: (signal: NodeJS.Signals) => void;
	/** Stops the server and removes its data. */
	readonly dispose: () => Promise<void>;
};

/** The server program of the tests: the one on PATH, or another version by its path. */
const program = process.env.HIVE_TEST_NATS_SERVER || 'nats-server';

/**
 * @param configuration text in the server's own format, added to the required settings
 * @param host address of this machine for the server to listen on
 */
export const startNatsServer = async (configuration = '', host = '127.0.0.1'): Promise<NatsServer> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-nats-'));
	const store = join(folder, 'store');
	const file = join(folder, 'server.conf');
	const port = await freePort(host);
	const configure = (settings: string) =>
		writeFile(
			file,
			`listen: "${host}:${port}"\njetstream {store_dir: ${JSON.stringify(store)}}\n${settings}\n`,
		);
	let child: ChildProcess | undefined;
	const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
		const stopped = child;
		child = undefined;
		if (stopped === undefined || stopped.exitCode !== null || stopped.signalCode !== null) return;
		const gone = once(stopped, 'exit');
		stopped.kill('SIGCONT');
		stopped.kill(signal);
		await gone;
	};
	const start = async (another?: string) => {
		if (another !== undefined) await configure(another);
		const started = spawn(program, ['-c', file], {stdio: ['ignore', 'ignore', 'pipe']});
		child = started;
		let words = '';
		started.stderr.setEncoding('utf8').on('data', text => {
			words = (words + text).slice(-2000);
		});
		const overrides = new AbortController();
		const ended = once(started, 'exit').then(() => {
			throw new Error(`${program} ended: ${words}`);
		});
		ended.catch(() => {});
		await Promise.race([answers(port, host, overrides.signal), ended]).finally(() => overrides.abort());
	};
	const dispose = async () => {
		await stop('SIGKILL');
		await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
	};
	await start(configuration).catch(async (error: unknown) => {
		await dispose();
		throw error;
	});
	return {
		...{url: `nats://${host}:${port}`, port, store, start, stop, dispose},
		signal: signal => void child?.kill(signal),
	};
};

const freePort = async (host: string): Promise<number> => {
	const server = createServer().listen(0, host);
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('no port');
	return address.port;
};

/** Resolves once a server sends its greeting, or the signal aborts the wait. */
const answers = async (port: number, host: string, signal: AbortSignal): Promise<void> => {
	while (!signal.aborted) {
		const isThere = await new Promise<boolean>(resolve => {
			const socket = connect(port, host);
			const overrides = (answer: boolean) => {
				socket.destroy();
				resolve(answer);
			};
			socket.once('data', () => overrides(true));
			socket.once('error', () => setTimeout(() => overrides(false), 10));
			socket.once('close', () => overrides(false));
		});
		if (isThere) return;
	}
};
