import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {withTimeout} from './with-timeout.ts';

type Fields = Readonly<Record<string, unknown>>;
type ShownButton = {readonly text: string; readonly callback_data: string};

export type ShownMessage = {
	readonly id: number;
	readonly chat: string;
	text: string;
	entities: readonly {type: string; offset: number; length: number; url?: string}[];
	buttons: readonly (readonly ShownButton[])[];
	readonly silent: boolean;
	edits: number;
};

/**
 * A fault for the next call of a method: another answer, or a connection that ends before or after the
 * effect.
 */
export type ApiFault = {readonly method: string} & (
	| {readonly answer: {readonly status: number; readonly description: string; readonly retryAfter?: number}}
	| {readonly lost: 'before' | 'after'}
	| {readonly hangs: true}
	| {readonly result: unknown}
);

export const owner = {user: 7, chat: 7};

/**
 * A stand-in for the Bot API of one bot, with the people in its chats. It stores messages as the platform
 * does.
 */
export const openBotApi = async () => {
	const messages: ShownMessage[] = [];
	const answers: string[] = [];
	const files: {chat: string; name: string; body: string}[] = [];
	const faults: ApiFault[] = [];
	const calls: string[] = [];
	let updates: {update_id: number; [field: string]: unknown}[] = [];
	let nextUpdate = 100;
	let nextMessage = 10;
	let poller: (() => void) | undefined;
	let conflicts = 0;
	let notifyPoller: (() => void)[] = [];
	const changed = (): void => {
		const waiting = notifyPoller;
		notifyPoller = [];
		for (const call of waiting) call();
	};

	const failure = (status: number, description: string, retryAfter?: number) => ({
		status,
		body: {
			ok: false,
			error_code: status,
			description,
			...(retryAfter !== undefined && {parameters: {retry_after: retryAfter}}),
		},
	});
	const success = (result: unknown) => ({status: 200, body: {ok: true, result}});
	const contentOf = ({text, entities = [], reply_markup}: Fields) => ({
		text: String(text),
		entities: entities as ShownMessage['entities'],
		buttons: ((reply_markup as Fields | undefined)?.inline_keyboard ?? []) as ShownMessage['buttons'],
	});

	const methods: Readonly<Record<string, (given: Fields) => unknown>> = {
		setMyCommands: () => success(true),
		getMe: () => success({id: 1, is_bot: true, first_name: 'Hive', username: 'hive_bot'}),
		getWebhookInfo: () => success({url: '', has_custom_certificate: false, pending_update_count: 0}),
		answerCallbackQuery: ({text = ''}) => {
			answers.push(String(text));
			return success(true);
		},
		sendMessage: given => {
			const content = contentOf(given);
			if (content.text === '' || content.text.length > 4096)
				return failure(400, 'Bad Request: message is too long');
			const message = {
				id: nextMessage++,
				chat: String(given.chat_id),
				silent: given.disable_notification === true,
				edits: 0,
				...content,
			};
			messages.push(message);
			return success({message_id: message.id, chat: {id: Number(message.chat)}, date: 0});
		},
		editMessageText: given => {
			const known = messages.find(
				({id, chat}) => id === Number(given.message_id) && chat === String(given.chat_id),
			);
			if (known === undefined) return failure(400, 'Bad Request: message to edit not found');
			const content = contentOf(given);
			const {text, entities, buttons} = known;
			if (JSON.stringify(content) === JSON.stringify({text, entities, buttons}))
				return failure(
					400,
					'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
				);
			Object.assign(known, content, {edits: known.edits + 1});
			return success(true);
		},
	};

	const getUpdates = async ({offset = 0, timeout = 0}: Fields, request: IncomingMessage) => {
		updates = updates.filter(({update_id}) => update_id >= Number(offset));
		changed();
		poller?.();
		if (updates.length > 0 || timeout === 0) return success(updates);
		let leave = (): void => {};
		const outcome = await new Promise<'woken' | 'other' | 'gone'>(resolve => {
			poller = () => resolve('other');
			const check = (): void => (updates.length > 0 ? resolve('woken') : void notifyPoller.push(check));
			check();
			leave = () => resolve('gone');
			request.socket.once('close', leave);
		});
		request.socket.off('close', leave);
		poller = undefined;
		return outcome === 'other' ? conflict() : success(updates);
	};

	const conflict = () => {
		conflicts += 1;
		return failure(409, 'Conflict: terminated by other getUpdates request');
	};

	const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const method = request.url?.split('/').at(-1) ?? '';
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const body = Buffer.concat(chunks).toString();
		calls.push(method);
		const fault = faults.find(each => each.method === method);
		if (fault !== undefined) faults.splice(faults.indexOf(fault), 1);
		if (fault !== undefined && 'lost' in fault && fault.lost === 'before')
			return void request.socket.destroy();
		if (fault !== undefined && 'hangs' in fault) return;
		const done =
			fault !== undefined && 'answer' in fault
				? failure(fault.answer.status, fault.answer.description, fault.answer.retryAfter)
				: fault !== undefined && 'result' in fault
					? success(fault.result)
					: await perform(method, body, request);
		changed();
		if (fault !== undefined && 'lost' in fault) return void request.socket.destroy();
		const {status, body: answer} = done as {status: number; body: unknown};
		response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer));
	};

	const perform = (method: string, body: string, request: IncomingMessage): unknown => {
		if (method === 'sendDocument') {
			files.push({
				chat: /name="chat_id"\r\n\r\n(-?\d+)/.exec(body)?.[1] ?? '',
				name: /filename="?([^"\r\n]*)/.exec(body)?.[1] ?? '',
				body,
			});
			return success({message_id: nextMessage++, chat: {id: 1}, date: 0});
		}
		const given: Fields = body === '' ? {} : JSON.parse(body);
		return method === 'getUpdates'
			? getUpdates(given, request)
			: (methods[method]?.(given) ?? failure(404, 'Not Found'));
	};

	const server = createServer((request, response) => {
		serve(request, response).catch(() => request.socket.destroy());
	}).listen(0, '127.0.0.1');
	await new Promise<void>(resolve => void server.once('listening', resolve));

	/** Resolves with the result of `look`, now or after a later call. */
	const until = <Found>(check: () => Found | undefined): Promise<Found> =>
		withTimeout(
			(async () => {
				for (;;) {
					const found = check();
					if (found !== undefined && found !== false) return found;
					await new Promise<void>(resolve => notifyPoller.push(resolve));
				}
			})(),
			() => `a call, after ${JSON.stringify(messages.slice(-5))}`,
		);
	const update = (content: Fields): void => {
		updates.push({update_id: nextUpdate++, ...content});
		changed();
	};
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		...{messages, answers, files, faults, calls, until},
		pending: () => updates.length,
		/** How often another client asked for updates at the same time. */
		conflicts: () => conflicts,
		close: (): void => {
			server.close();
			server.closeAllConnections();
		},
		/** Adds an update of any kind under the next number. */
		update,
		say: (text: string, {user, chat}: typeof owner = owner, to?: number): void =>
			update({
				message: {
					...{message_id: nextMessage++, from: {id: user}, chat: {id: chat}, text},
					...(to !== undefined && {reply_to_message: {message_id: to}}),
				},
			}),
		/** Presses the button with that label, whether the message shows it now or showed it before. */
		press: (message: ShownMessage, label: string, {user, chat}: typeof owner = owner): void => {
			const button = message.buttons.flat().find(({text}) => text === label);
			if (button === undefined) throw new Error(`no button ${label} on ${JSON.stringify(message)}`);
			update({
				callback_query: {
					...{id: `query${nextUpdate}`, from: {id: user}, data: button.callback_data},
					message: {message_id: message.id, chat: {id: chat}},
				},
			});
		},
		message: (words: string | RegExp): Promise<ShownMessage> =>
			until(() =>
				messages.findLast(({text}) => (typeof words === 'string' ? text.includes(words) : words.test(text))),
			),
	};
};
