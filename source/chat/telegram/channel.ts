import type {InlineKeyboardMarkup, MessageEntity} from 'grammy/types';
import {InputFile} from 'grammy/web';
import {type Channel, NotTaken} from '../channel.ts';
import type {Context} from '../context.ts';
import type {Message} from '../message.ts';
import {type Calls, codeOf, faultWords, patiently, saysThat} from './calls.ts';
import {render} from './render.ts';

export type TelegramChannel = Channel & {
	/** Records that a message with that number, of any sender, exists in the chat. */
	readonly seen: (chat: string, message: number) => void;
	/** Sends a text at once. It is not kept as a card. */
	readonly tell: (chat: string, words: string) => Promise<void>;
};

/** How many numbers after its mark a message is looked for. The messages of other people take numbers too. */
const probed = 30;

type Ports = {
	/** Name of the channel: one for each bot. */
	readonly name: string;
	readonly api: Calls;
	readonly clock: Context['clock'];
	readonly signal: AbortSignal;
	readonly chats: Channel['chats'];
	/** Highest message number known in that chat from earlier processes; 0 if none is. */
	readonly known: (chat: string) => number;
};

export const createTelegramChannel = ({name, api, chats, known, ...patience}: Ports): TelegramChannel => {
	const highest = new Map<string, number>();
	/** Messages that are not cards, as `<chat>/<message>`. */
	const told = new Set<string>();
	const seen = (chat: string, message: number): void => {
		const counter = counterOf(chat);
		highest.set(counter, Math.max(highest.get(counter) ?? 0, message));
	};
	const last = (chat: string): number => Math.max(highest.get(counterOf(chat)) ?? 0, known(chat));
	const tell = async (chat: string, words: string): Promise<void> => {
		const sent = await patiently(patience, () => api.sendMessage(chat, words, {disable_notification: true}));
		told.add(`${chat}/${sent.message_id}`);
		seen(chat, sent.message_id);
	};
	const show = (chat: string, ref: number, message: Message) => {
		const {text, ...options} = contentOf(message);
		return patiently(patience, () => api.editMessageText(chat, ref, text, options));
	};
	return {
		...{name, chats, seen, tell},
		mark: async chat => {
			// Without a known number in the chat, a message is sent first to get one.
			if (last(chat) === 0) await tell(chat, 'hive tells you here what needs you. See /help.');
			return String(last(chat));
		},
		send: async (chat, message) => {
			const {text, ...options} = contentOf(message);
			const sent = await patiently(patience, () =>
				api.sendMessage(chat, text, {...options, disable_notification: message.silent}),
			).catch(refusedOf);
			seen(chat, sent.message_id);
			return String(sent.message_id);
		},
		edit: async (chat, ref, message) => {
			await show(chat, Number(ref), message).catch((error: unknown) => {
				if (!isSame(error) && !isGone(error)) throw error;
			});
		},
		find: async (chat, mark, message, others) => {
			for (let ref = Number(mark) + 1; ref <= Number(mark) + probed; ref++) {
				if (others.has(String(ref)) || told.has(`${chat}/${ref}`)) continue;
				const isThere = await show(chat, ref, message).then(
					() => true,
					(error: unknown) => {
						if (!isSame(error) && !isGone(error)) throw error;
						return isSame(error);
					},
				);
				if (!isThere) continue;
				seen(chat, ref);
				return String(ref);
			}
			return undefined;
		},
		file: async (chat, ref, name, text) => {
			const sent = await patiently(patience, () =>
				api.sendDocument(chat, new InputFile(Buffer.from(text), name), {
					reply_parameters: {message_id: Number(ref), allow_sending_without_reply: true},
				}),
			);
			seen(chat, sent.message_id);
		},
	};
};

/**
 * The counter that numbers a chat's messages. Each supergroup has its own; all other chats of a bot share
 * one.
 */
export const counterOf = (chat: string): string => (chat.startsWith('-100') ? chat : '');

/** True if the error concerns the whole chat: it is gone, or it blocks the bot. */
const isOfChat = (error: unknown): boolean =>
	codeOf(error) === 403 ||
	saysThat(error, /chat not found|upgraded to a supergroup|not enough rights|PEER_ID_INVALID/i);

/** Throws `NotTaken` if the platform refused the message, so that it was certainly not sent. */
const refusedOf = (error: unknown): never => {
	const isRefused = [400, 403, 429].includes(codeOf(error) ?? 0);
	throw isRefused ? new NotTaken(faultWords(error), codeOf(error) === 429 || isOfChat(error)) : error;
};

/** True if the message exists and shows this content already. */
const isSame = (error: unknown): boolean => saysThat(error, /message is not modified/i);

/** True if there is no such message, or it is not a message of this bot that could show this content. */
const isGone = (error: unknown): boolean =>
	saysThat(error, /message to edit not found|can't be edited|MESSAGE_ID_INVALID|no text in the message/i);

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
