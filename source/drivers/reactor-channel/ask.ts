import {connect} from 'node:net';
import {parseObject} from '../../domain/json.ts';
import type {ReactorAnswer} from '../../ports/reactor-channel.ts';
import {addressOfListener} from '../private-socket/address.ts';
import {protocolVersion, readAnswer} from './protocol.ts';

/** Longer than any group commit takes. */
const offerTimeoutMs = 5000;

/** `offer` of the channel. It loads no library, since its command must start fast. */
export const offerTo = (
	socket: string,
	event: unknown,
	id: string,
	timeoutMs = offerTimeoutMs,
): Promise<ReactorAnswer | undefined> => ask(socket, {op: 'emit', event, id}, timeoutMs);

/**
 * Sends one request to the reactor. Returns undefined if no reactor listens, or if the answer is late, lost
 * or unreadable.
 */
export const ask = async (
	socket: string,
	message: {readonly op: string; readonly [field: string]: unknown},
	timeoutMs: number,
	signal?: AbortSignal,
): Promise<ReactorAnswer | undefined> => {
	const address = await addressOfListener(socket);
	if (address === undefined) return undefined;
	const line = JSON.stringify({v: protocolVersion, n: 1, ...message});
	const answer = parseObject((await exchange(address, line, timeoutMs, signal)) ?? '');
	return answer && readAnswer(answer);
};

const exchange = (address: string, line: string, timeoutMs: number, signal?: AbortSignal) =>
	new Promise<string | undefined>(resolve => {
		const connection = connect(address, () => connection.write(`${line}\n`));
		let text = '';
		const finish = (answer: string | undefined) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', give);
			connection.destroy();
			resolve(answer);
		};
		const give = () => finish(undefined);
		signal?.addEventListener('abort', give, {once: true});
		const timer = setTimeout(() => finish(undefined), timeoutMs);
		connection.setEncoding('utf8');
		connection.on('data', chunk => {
			text += chunk;
			const end = text.indexOf('\n');
			if (end >= 0) finish(text.slice(0, end));
		});
		connection.on('error', () => finish(undefined));
		connection.on('close', () => finish(undefined));
	});
