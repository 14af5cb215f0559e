import type {InlineKeyboardMarkup, MessageEntity} from 'grammy/types';
import {InputFile} from 'grammy/web';
import {type Channel, MessageRefused} from '../channel.ts';
import type {Context} from '../context.ts';
import type {Message} from '../message.ts';
import {type Calls, codeOf, formatCallError, isBadRequest, withRetries} from './calls.ts';
import {render} from './render.ts';

export type TelegramChannel = Channel & {
	/** Records that a message with that number, of any sender, exists in the chat. */
	readonly recordMessage: (chat: string, message: number) => void;
	/** Sends a text at once. It is not kept as a card. */
	readonly sendText: (chat: string, text: string) => Promise<void>;
};

/** How many numbers after its mark a message is looked for. The messages of other people take numbers too. */
const maxProbes = 30;

type ChannelOptions = {
	/** Name of the channel: one for each bot. */
	readonly name: string;
	readonly api: Calls;
	readonly clock: Context['clock'];
	readonly signal: AbortSignal;
	readonly chats: Channel['chats'];
	/** Highest message number known in that chat from earlier processes; 0 if none is. */
	readonly knownNumber: (chat: string) => number;
};

export const createTelegramChannel = ({
	name,
	api,
	chats,
	knownNumber,
	...retryOptions
}: ChannelOptions): TelegramChannel => {
	const highest = new Map<string, number>();
	/** Messages that are not cards, as `<chat>/<message>`. */
	const plainMessages = new Set<string>();
	const recordMessage = (chat: string, message: number): void => {
		const counter = counterOf(chat);
		highest.set(counter, Math.max(highest.get(counter) ?? 0, message));
	};
	const last = (chat: string): number => Math.max(highest.get(counterOf(chat)) ?? 0, knownNumber(chat));
	const sendText = async (chat: string, text: string): Promise<void> => {
		const sent = await withRetries(retryOptions, () =>
			api.sendMessage(chat, text, {disable_notification: true}),
		);
		plainMessages.add(`${chat}/${sent.message_id}`);
		recordMessage(chat, sent.message_id);
	};
	const show = (chat: string, ref: number, message: Message) => {
		const {text, ...options} = contentOf(message);
		return withRetries(retryOptions, () => api.editMessageText(chat, ref, text, options));
	};
	return {
		...{name, chats, recordMessage, sendText},
		mark: async chat => {
			// Without a known number in the chat, a message is sent first to get one.
			if (last(chat) === 0) await sendText(chat, 'hive tells you here what needs you. See /help.');
			return String(last(chat));
		},
		send: async (chat, message) => {
			const {text, ...options} = contentOf(message);
			const sent = await withRetries(retryOptions, () =>
				api.sendMessage(chat, text, {...options, disable_notification: message.silent}),
			).catch(throwRefusal);
			recordMessage(chat, sent.message_id);
			return String(sent.message_id);
		},
		edit: async (chat, ref, message) => {
			await show(chat, Number(ref), message).catch((error: unknown) => {
				if (!isUnchanged(error) && !isGone(error)) throw error;
			});
		},
		find: async (chat, mark, message, others) => {
			for (let ref = Number(mark) + 1; ref <= Number(mark) + maxProbes; ref++) {
				if (others.has(String(ref)) || plainMessages.has(`${chat}/${ref}`)) continue;
				const isThere = await show(chat, ref, message).then(
					() => true,
					(error: unknown) => {
						if (!isUnchanged(error) && !isGone(error)) throw error;
						return isUnchanged(error);
					},
				);
				if (!isThere) continue;
				recordMessage(chat, ref);
				return String(ref);
			}
			return undefined;
		},
		file: async (chat, ref, name, text) => {
			const sent = await withRetries(retryOptions, () =>
				api.sendDocument(chat, new InputFile(Buffer.from(text), name), {
					reply_parameters: {message_id: Number(ref), allow_sending_without_reply: true},
				}),
			);
			recordMessage(chat, sent.message_id);
		},
	};
};

/**
 * The counter that numbers a chat's messages. Each supergroup has its own; all other chats of a bot share
 * one.
 */
export const counterOf = (chat: string): string => (chat.startsWith('-100') ? chat : '');

/** True if the error concerns the whole chat: it is gone, or it blocks the bot. */
const concernsChat = (error: unknown): boolean =>
	codeOf(error) === 403 ||
	isBadRequest(error, /chat not found|upgraded to a supergroup|not enough rights|PEER_ID_INVALID/i);

/** Throws `NotTaken` if the platform refused the message, so that it was certainly not sent. */
const throwRefusal = (error: unknown): never => {
	const isRefused = [400, 403, 429].includes(codeOf(error) ?? 0);
	throw isRefused
		? new MessageRefused(formatCallError(error), codeOf(error) === 429 || concernsChat(error))
		: error;
};

/** True if the message exists and shows this content already. */
const isUnchanged = (error: unknown): boolean => isBadRequest(error, /message is not modified/i);

/** True if there is no such message, or it is not a message of this bot that could show this content. */
const isGone = (error: unknown): boolean =>
	isBadRequest(error, /message to edit not found|can't be edited|MESSAGE_ID_INVALID|no text in the message/i);

const contentOf = (
	message: Message,
): {
	text: string;
	entities: MessageEntity[];
	link_preview_options: {is_disabled: true};
	reply_markup: InlineKeyboardMarkup;
} => ({
	...render(message),
	link_preview_options: {is_disabled: true},
	reply_markup: {
		inline_keyboard: message.buttons.map(row =>
			row.map(({data, label}) => ({text: label, callback_data: data})),
		),
	},
});
