import {type NatsServer, startNatsServer} from './nats-server.ts';

let started: Promise<NatsServer> | undefined;

/**
 * The server of all tests of a worker that neither stop nor configure theirs: each has a colony of its own
 * there. It ends with the worker.
 */
export const serverOfWorker = (): Promise<NatsServer> => {
	started ??= startNatsServer().then(server => {
		// Vitest ends its workers by this signal.
		process.once('SIGTERM', () => void server.dispose().finally(() => process.exit()));
		return server;
	});
	return started;
};
