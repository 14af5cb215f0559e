import {connect} from 'node:net';
import {protocolVersion} from './protocol.ts';
import {addressOfListener} from './socket-address.ts';

/**
 * Sends one request to the reactor and returns its answer, an `Answer` of protocol.ts. Loads no library, for the
 * commands that must start fast. Nothing comes back when nobody listens, and also when the answer is late or lost: give
 * an `emit` an `id`, so that appending it again is harmless.
 *
 * @param message `{op: 'emit', event, id?}` or `{op: 'ping'}`
 */
export const callReactor = async (
	socket: string,
	message: {readonly op: string; readonly [field: string]: unknown},
	timeoutMilliseconds: number,
): Promise<unknown | undefined> => {
	const address = await addressOfListener(socket);
	if (address === undefined) return undefined;
	const line = JSON.stringify({v: protocolVersion, n: 1, ...message});
	const text = await exchange(address, line, timeoutMilliseconds);
	return text === undefined ? undefined : JSON.parse(text);
};

const exchange = (address: string, line: string, timeoutMilliseconds: number) =>
	new Promise<string | undefined>(resolve => {
		const connection = connect(address, () => connection.write(`${line}\n`));
		let text = '';
		const settle = (answer: string | undefined) => {
			clearTimeout(timer);
			connection.destroy();
			resolve(answer);
		};
		const timer = setTimeout(() => settle(undefined), timeoutMilliseconds);
		connection.setEncoding('utf8');
		connection.on('data', chunk => {
			text += chunk;
			const end = text.indexOf('\n');
			if (end >= 0) settle(text.slice(0, end));
		});
		connection.on('error', () => settle(undefined));
		connection.on('close', () => settle(undefined));
	});
