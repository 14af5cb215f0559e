import {type NatsServer, startNatsServer} from './nats-server.ts';

let started: Promise<NatsServer> | undefined;

/**
 * Returns the server that tests of a worker share, unless they stop or configure theirs. Each test has its
 * own colony there. The server ends with the worker.
 */
export const serverOfWorker = (): Promise<NatsServer> => {
	started ??= startNatsServer().then(server => {
		// Vitest ends its workers with this signal.
		process.once('SIGTERM', () => void server.dispose().finally(() => process.exit()));
		return server;
	});
	return started;
};
