import {onTestFinished} from 'vitest';
import {type NatsServer, startNatsServer} from './nats-server.ts';

/** Starts a server that ends when its test ends. Its stored data is removed then. */
export const startServerOfTest = async (): Promise<NatsServer> => {
	const server = await startNatsServer();
	onTestFinished(server.dispose);
	return server;
};
