import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A NATS server of a test's own, with JetStream, on a free port. */
export type NatsServer = {
	readonly url: string;
	readonly port: number;
	/** What it has stored. */
	readonly store: string;
	/**
	 * Starts it again on its port, with what it had stored, and with another configuration where there is one.
	 */
	readonly start: (configuration?: string) => Promise<void>;
	/** Resolves when it is gone. */
	readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
	/** SIGSTOP, SIGCONT: it keeps its connections and answers nobody. */
	readonly signal: (signal: NodeJS.Signals) => void;
	/** Stops it, and nothing of it is left. */
	readonly dispose: () => Promise<void>;
};

/** The server that tests run: that on PATH, or another version by its path. */
const program = process.env.HIVE_TEST_NATS_SERVER || 'nats-server';

/**
 * @param configuration in the server's own language, added to what it needs here
 * @param host address of this machine where it listens
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

/** Resolves once a server says who it is, or nobody waits for it any more. */
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
