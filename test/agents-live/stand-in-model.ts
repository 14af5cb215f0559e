import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {json} from 'node:stream/consumers';
import {anthropicMessages} from './anthropic-messages.ts';
import {type Answer, answerTo} from './conversation.ts';
import {openaiResponses} from './openai-responses.ts';
import type {Body, Protocol, ServerEvent} from './protocol.ts';

/** A model that says what is written down, part by part. */
export type StandInModel = {
	readonly url: string;
	/** Lets the answer that is being told go on with its next part. */
	readonly goOn: () => void;
	/** Hosts that were asked for through this server as a proxy; none was reached. */
	readonly refused: () => readonly string[];
	/** What was asked and could not be answered. */
	readonly unknown: () => readonly string[];
	readonly close: () => void;
};

const protocols: readonly Protocol[] = [anthropicMessages, openaiResponses];

/** Listens on 127.0.0.1, where it is also the proxy that lets nobody out. */
export const startStandInModel = async (): Promise<StandInModel> => {
	const [refused, unknown] = [new Set<string>(), new Set<string>()];
	const waiting: (() => void)[] = [];
	const turn = (): Promise<void> => new Promise(resolve => waiting.push(resolve));
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const path = request.url ?? '/';
		if (/^https?:/.test(path)) return refuse(path, response);
		const protocol = protocols.find(known => path.split('?')[0] === known.path);
		if (protocol === undefined || request.method !== 'POST') {
			unknown.add(`${request.method} ${path}`);
			response.writeHead(404, {'content-type': 'application/json'}).end('{}');
			return;
		}
		const body = (await json(request)) as Body;
		const said = answerTo(protocol.read(body));
		if (body.stream) await stream(protocol, said, response, turn);
		else
			response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(protocol.whole(said)));
	};
	const refuse = (path: string, response: ServerResponse): void => {
		refused.add(new URL(path).host);
		response.writeHead(403).end();
	};
	const server = createServer((request, response) => {
		answer(request, response).catch((error: unknown) => {
			unknown.add(`${request.url}: ${error}`);
			response.destroy();
		});
	});
	server.on('connect', (request, socket) => {
		refused.add(request.url ?? '');
		socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		goOn: () => waiting.shift()?.(),
		refused: () => [...refused],
		unknown: () => [...unknown],
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
};

const stream = async (
	protocol: Protocol,
	answer: Answer,
	response: ServerResponse,
	turn: () => Promise<void>,
): Promise<void> => {
	const {opening, piece, closing} = protocol.events(answer);
	const send = (events: readonly ServerEvent[]): void => {
		for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	};
	response.writeHead(200, {'content-type': 'text/event-stream'});
	send(opening);
	for (const [at, part] of answer.parts.entries()) {
		if (at > 0) await turn();
		for (const text of part.match(/.{1,12}/gsu) ?? []) send([piece(text)]);
	}
	send(closing);
	response.end();
};
