import type {InlineKeyboardMarkup, MessageEntity} from 'grammy/types';
import {InputFile} from 'grammy/web';
import type {Context} from '../cards.ts';
import type {Channel} from '../channel.ts';
import type {Message} from '../message.ts';
import {type Calls, patiently, saysThat} from './calls.ts';
import {render} from './render.ts';

export type TelegramChannel = Channel & {
	/** A message of anybody was there under that number. */
	readonly seen: (chat: string, message: number) => void;
	/** Words at once, kept nowhere. */
	readonly tell: (chat: string, words: string) => Promise<void>;
};

/** As far behind its mark a message is looked for: numbers are given to what others say too. */
const probed = 30;

type Ports = {
	readonly api: Calls;
	readonly clock: Context['clock'];
	readonly chats: Channel['chats'];
	/** Highest number of a message that is known in that chat, from before; 0 when none is. */
	readonly known: (chat: string) => number;
};

export const createTelegramChannel = ({api, clock, chats, known}: Ports): TelegramChannel => {
	const highest = new Map<string, number>();
	const seen = (chat: string, message: number): void => {
		const counter = counterOf(chat);
		highest.set(counter, Math.max(highest.get(counter) ?? 0, message));
	};
	const last = (chat: string): number => Math.max(highest.get(counterOf(chat)) ?? 0, known(chat));
	const tell = async (chat: string, words: string): Promise<void> => {
		const sent = await patiently(clock, () => api.sendMessage(chat, words, {disable_notification: true}));
		seen(chat, sent.message_id);
	};
	const show = (chat: string, ref: number, message: Message) => {
		const {text, ...options} = contentOf(message);
		return patiently(clock, () => api.editMessageText(chat, ref, text, options));
	};
	return {
		name: 'telegram',
		...{chats, seen, tell},
		mark: async chat => {
			// Of a chat that nothing is known of a number has to be had first.
			if (last(chat) === 0) await tell(chat, 'hive tells you here what needs you. See /help.');
			return String(last(chat));
		},
		send: async (chat, message) => {
			const {text, ...options} = contentOf(message);
			const sent = await patiently(clock, () =>
				api.sendMessage(chat, text, {...options, disable_notification: message.silent}),
			);
			seen(chat, sent.message_id);
			return String(sent.message_id);
		},
		edit: async (chat, ref, message) => {
			await show(chat, Number(ref), message).catch((error: unknown) => {
				if (!isSame(error) && !isGone(error)) throw error;
			});
		},
		find: async (chat, mark, message) => {
			for (let ref = Number(mark) + 1; ref <= Number(mark) + probed; ref++) {
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
			const sent = await patiently(clock, () =>
				api.sendDocument(chat, new InputFile(Buffer.from(text), name), {
					reply_parameters: {message_id: Number(ref), allow_sending_without_reply: true},
				}),
			);
			seen(chat, sent.message_id);
		},
	};
};

/** Supergroups count for themselves; all other chats of a bot count together. */
export const counterOf = (chat: string): string => (chat.startsWith('-100') ? chat : '');

/** It is there, and shows this. */
const isSame = (error: unknown): boolean => saysThat(error, /message is not modified/i);

/** There is none, or none of this bot that could show this. */
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
