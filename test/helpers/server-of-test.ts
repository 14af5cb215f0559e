import {onTestFinished} from 'vitest';
import {type NatsServer, startNatsServer} from './nats-server.ts';

/** A server that is gone, with what it stored, when its test ends. */
export const startServerOfTest = async (): Promise<NatsServer> => {
	const server = await startNatsServer();
	onTestFinished(server.dispose);
	return server;
};
