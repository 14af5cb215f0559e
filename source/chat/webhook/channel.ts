import type {ChatSettings} from '../../host/host.ts';
import type {Channel} from '../channel.ts';
import type {Context} from '../context.ts';
import {type Message, plainText} from '../message.ts';
import {sign, signatureHeader, timeHeader} from './sign.ts';

type Webhook = NonNullable<ChatSettings['webhook']>;

const timeoutMs = 10_000;

/** The webhook's only chat. */
export const webhookChat = 'webhook';

/**
 * Sends each message as a signed POST request with a stable id. The receiver replaces a message whose id it
 * knows. So it shows a retried message once.
 */
export const createWebhookChannel = ({url, secret}: Webhook, clock: Context['clock']): Channel => {
	const post = async (value: object): Promise<void> => {
		const [time, body] = [String(clock.now()), JSON.stringify({v: 1, ...value})];
		const answer = await fetch(url, {
			...{method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(timeoutMs)},
			headers: {
				'content-type': 'application/json',
				[timeHeader]: time,
				[signatureHeader]: sign(secret, time, body),
			},
		});
		if (!answer.ok) throw new Error(`The webhook answers ${answer.status}.`);
	};
	const postMessage = (message: Message, id: string): Promise<void> => {
		const {parts, buttons, silent} = message;
		return post({id, text: plainText(parts), buttons: buttons.flat(), silent});
	};
	return {
		name: 'webhook',
		chats: () => [webhookChat],
		mark: async () => '',
		send: async (_, message, id) => {
			await postMessage(message, id);
			return id;
		},
		edit: (_, __, message, id) => postMessage(message, id),
		find: async () => undefined,
		file: (_, ref, name, text) => post({id: ref, file: {name, text}}),
	};
};
