import {connect, createServer} from 'node:net';
import {passedSignals, runToExit} from './run-outside.ts';

/** Path of the proxy's socket inside. */
export const socketInside = '/run/hive/proxy.sock';

/**
 * Starts a program with the variables of a proxy that leads to the socket. Programs find a proxy only by an
 * address of the network, and this one is of the container's own loopback.
 */
export const runInside = ([program = '', ...args]: readonly string[]): void => {
	for (const signal of passedSignals) process.on(signal, () => {});
	const server = createServer(client => {
		const proxy = connect(socketInside);
		for (const [from, to] of [
			[client, proxy],
			[proxy, client],
		] as const) {
			from.on('error', () => from.destroy());
			from.once('close', () => to.destroy());
			from.pipe(to);
		}
	});
	server.listen(0, '127.0.0.1', () => {
		const address = server.address();
		const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
		runToExit(program, args, {...process.env, ...proxyVariables(url)});
	});
};

const proxyVariables = (url: string): Readonly<Record<string, string>> => ({
	...Object.fromEntries(
		['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].flatMap(name => [
			[name, url],
			[name.toLowerCase(), url],
		]),
	),
	...{NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1', NODE_USE_ENV_PROXY: '1'},
});
