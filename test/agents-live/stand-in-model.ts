import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {json} from 'node:stream/consumers';
import {anthropicMessages} from './anthropic-messages.ts';
import type {Answer, Refusal, Reply} from './conversation.ts';
import {geminiContent} from './gemini-content.ts';
import {openaiResponses} from './openai-responses.ts';
import type {Body, Protocol, ServerEvent, Told} from './protocol.ts';

/** A model that sends given answers, part by part. */
export type StandInModel = {
	readonly url: string;
	/** Releases the next part of the current answer. */
	readonly goOn: () => void;
	/** Hosts that were requested through this server as a proxy. None was contacted. */
	readonly refused: () => readonly string[];
	/** Requests that could not be answered. */
	readonly unknown: () => readonly string[];
	readonly close: () => void;
};

const protocols: readonly Protocol[] = [anthropicMessages, openaiResponses, geminiContent];

/** Listens on 127.0.0.1, also as a proxy that forwards nothing. */
export const startStandInModel = async (reply: Reply): Promise<StandInModel> => {
	const [refused, unknown] = [new Set<string>(), new Set<string>()];
	const waiting: (() => void)[] = [];
	const turn = (): Promise<void> => new Promise(resolve => waiting.push(resolve));
	let count = 0;
	const told = (answer: Answer): Told => {
		const id = `${++count}`;
		return {...answer, id, calls: (answer.calls ?? []).map((call, at) => ({...call, id: `${id}_${at + 1}`}))};
	};
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const path = request.url ?? '/';
		if (/^https?:/.test(path)) return refuse(path, response);
		const protocol = protocols.find(known => known.path.test(path.split('?')[0] ?? ''));
		if (protocol === undefined || request.method !== 'POST') {
			unknown.add(`${request.method} ${path}`);
			return send(response, {status: 404, body: {}});
		}
		const body = (await json(request)) as Body;
		const said = reply({...protocol.read(body), whole: JSON.stringify(body)});
		if ('status' in said) return send(response, said);
		if (!protocol.wantsStream(body, path)) {
			return send(response, {status: 200, body: protocol.whole(told(said))});
		}
		await stream(protocol, told(said), response, said.isToldAtOnce ? async () => {} : turn);
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

const send = (response: ServerResponse, {status, headers, body}: Refusal): void => {
	response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(body));
};

const stream = async (
	protocol: Protocol,
	told: Told,
	response: ServerResponse,
	turn: () => Promise<void>,
): Promise<void> => {
	const {opening, piece, closing} = protocol.events(told);
	const send = (events: readonly ServerEvent[]): void => {
		for (const event of events) {
			const name = event.type === undefined ? '' : `event: ${event.type}\n`;
			response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
		}
	};
	response.writeHead(200, {'content-type': 'text/event-stream'});
	send(opening);
	for (const [at, part] of told.parts.entries()) {
		if (at > 0) await turn();
		for (const text of part.match(/.{1,12}/gsu) ?? []) send([piece(text)]);
	}
	send(closing);
	response.end();
};
