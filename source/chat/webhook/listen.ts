import {createServer, type IncomingMessage} from 'node:http';
import * as z from 'zod/mini';
import type {ChatSettings} from '../../host/host.ts';
import type {ChatInput} from '../channel.ts';
import type {Context} from '../context.ts';
import {webhookChat} from './channel.ts';
import {isSigned, signatureHeader, timeHeader} from './sign.ts';

type ListenOptions = {
	readonly webhook: NonNullable<ChatSettings['webhook']>;
	readonly clock: Context['clock'];
	readonly signal: AbortSignal;
	/** Resolves with the reply for the person who acted. Rejects if the input could not be kept. */
	readonly receive: (input: ChatInput) => Promise<string>;
};

const maxBodyBytes = 64 * 1024;

/**
 * A press, by the `data` of its button; a text in reply to a message, by its id; or a command with its own
 * id.
 */
const inputSchema = z.union([
	z.object({data: z.string()}),
	z.object({to: z.string(), text: z.string()}),
	z.object({id: z.string(), text: z.string()}),
]);

/**
 * Accepts signed requests at the `listen` address until the signal aborts. It answers 200 with the result,
 * 503 if nothing was begun, and an empty 404 for every request without a valid signature.
 */
export const listenForAnswers = async ({webhook, clock, signal, receive}: ListenOptions): Promise<void> => {
	const {listen, secret} = webhook;
	const ended = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
	// Without an address the webhook only sends.
	if (listen === undefined) return ended;
	const handleRequest = async (request: IncomingMessage): Promise<{status: number; value?: object}> => {
		const body = await readBody(request);
		const header = (name: string): string => String(request.headers[name] ?? '');
		const given = {time: header(timeHeader), signature: header(signatureHeader), body: body ?? ''};
		if (request.method !== 'POST' || body === undefined || !isSigned(secret, clock.now(), given))
			return {status: 404};
		const input = parseInput(body);
		if (input === undefined) return {status: 400};
		return {status: 200, value: {v: 1, words: await receive(input)}};
	};
	const server = createServer((request, response) => {
		handleRequest(request)
			.catch(() => ({
				status: 503,
				value: {v: 1, words: 'Nothing was started. Look at the card, and press again later.'},
			}))
			.then(({status, value}: {status: number; value?: object}) =>
				response.writeHead(status, {'content-type': 'application/json'}).end(value && JSON.stringify(value)),
			)
			.catch(() => request.socket.destroy());
	});
	const [host = '127.0.0.1', port = '0'] = listen.split(/:(?=\d+$)/);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).once('close', resolve).listen(Number(port), host);
		signal.addEventListener('abort', () => {
			server.close();
			server.closeAllConnections();
		});
	});
};

const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request) {
		length += chunk.length;
		if (length > maxBodyBytes) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
};

const parseInput = (body: string): ChatInput | undefined => {
	const read = inputSchema.safeParse(parseJson(body));
	if (!read.success) return undefined;
	const chatUser = {chat: webhookChat, user: webhookChat};
	if ('data' in read.data) return {did: 'press', ...chatUser, data: read.data.data};
	const {text} = read.data;
	return 'to' in read.data
		? {did: 'say', ...chatUser, text, to: read.data.to, id: read.data.to}
		: {did: 'say', ...chatUser, text, id: read.data.id};
};

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};
