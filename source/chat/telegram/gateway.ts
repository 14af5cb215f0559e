import {Api} from 'grammy/web';
import {formatRefusal, refusalOf} from '../../domain/errors.ts';
import type {ChatSettings} from '../../host/host.ts';
import type {Card} from '../card.ts';
import type {ChatController} from '../chat-controller.ts';
import {allCommands} from '../commands.ts';
import type {Bucket, Context} from '../context.ts';
import {type ChatUser, followPairings, isPaired} from '../paired.ts';
import {pair} from '../pairing.ts';
import {counterOf, createTelegramChannel, type TelegramChannel} from './channel.ts';
import {poll} from './poll.ts';
import type {Update} from './updates.ts';

type TelegramOptions = {
	readonly context: Context;
	readonly bucket: Bucket;
	readonly settings: ChatSettings;
	readonly token: string;
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
	/** Timeout of a call, in seconds. */
	readonly timeoutSeconds?: number;
};

/** The bot: a channel for a desk, and the poll loop for what people do there. */
export type Telegram = {
	readonly channel: TelegramChannel;
	readonly run: (controller: ChatController) => Promise<void>;
};

export const openTelegram = async (ports: TelegramOptions): Promise<Telegram> => {
	const {context, bucket, settings, token, signal, report, timeoutSeconds = 60} = ports;
	const {clock} = context;
	const api = new Api(token, {apiRoot: settings.apiRoot, timeoutSeconds});
	const name = channelOf(token);
	const pairingStore = {bucket, prefix: `${name}.`};
	const paired = await followPairings(pairingStore, {clock, signal});
	const refs = await readRefs(bucket, name);
	const configuredChats = settings.users.length === 0 ? [] : settings.chats;
	const channel = createTelegramChannel({
		...{name, api, clock, signal},
		chats: () => [...new Set([...configuredChats, ...paired.all().map(({chat}) => chat)])],
		knownNumber: chat => refs.get(counterOf(chat)) ?? 0,
	});
	const isNamed = ({user, chat}: ChatUser): boolean =>
		settings.users.includes(user) && settings.chats.includes(chat);
	const isKnown = async (chatUser: ChatUser): Promise<boolean> =>
		isNamed(chatUser) || (paired.has(chatUser) && (await isPaired(pairingStore, chatUser)));

	const handleUpdate = async (controller: ChatController, {input, message, query}: Update): Promise<void> => {
		if (input === undefined) return;
		if (!(await isKnown(input))) {
			if (input.did !== 'say' || !(await pair(pairingStore, clock, input.text, input))) return;
			await paired.reload();
			if (message !== undefined) channel.recordMessage(input.chat, message);
			const words = 'This chat is paired: hive tells you here what needs you. See /help.';
			await controller.sendBetween(input.chat, () => channel.sendText(input.chat, words)).catch(() => {});
			return controller.poll();
		}
		if (message !== undefined) channel.recordMessage(input.chat, message);
		const words = await controller.receive(input);
		// The query may be too old, or the platform unreachable. The card shows the result anyway.
		if (query !== undefined)
			await api.answerCallbackQuery(query, {text: words.slice(0, 190)}).catch(() => {});
	};

	const reportRefused = async (
		controller: ChatController,
		{input, query}: Update,
		error: unknown,
	): Promise<void> => {
		const reason = refusalOf(error);
		report(`An action from the chat was refused: ${reason ? formatRefusal(reason) : String(error)}`);
		if (input === undefined || !(isNamed(input) || paired.has(input))) return;
		const cause = reason?.code === 'bus_unreachable' ? 'The log cannot be reached' : 'Something went wrong';
		const words = `${cause}, so nothing was started. Look at the card, and try again later.`;
		await (query === undefined
			? controller.sendBetween(input.chat, () => channel.sendText(input.chat, words))
			: api.answerCallbackQuery(query, {text: words, show_alert: true})
		).catch(() => {});
	};

	return {
		channel,
		run: async controller => {
			const commands = allCommands(settings).map(({name, summary}) => ({
				command: name,
				description: summary.slice(0, 256),
			}));
			void api.setMyCommands(commands).catch(() => {});
			await poll({
				...{api, clock, bucket, key: `${name}.offset`, signal, report},
				handleUpdate: update => handleUpdate(controller, update),
				onRefused: (update, error) => reportRefused(controller, update, error),
			});
		},
	};
};

/** Name of the bot's channel. Each bot has its own cards, chats and offset. Its number is not secret. */
export const channelOf = (token: string): string => `telegram.${/^\d+/.exec(token)?.[0] ?? '0'}`;

/** The highest message number recorded on cards, by counter. */
const readRefs = async (bucket: Bucket, name: string): Promise<ReadonlyMap<string, number>> => {
	const refs = new Map<string, number>();
	for (const {key, value} of await bucket.entries()) {
		if (!key.startsWith(`${name}.card.`)) continue;
		const {chat, ref, sending}: Card = JSON.parse(value);
		const counter = counterOf(chat);
		refs.set(counter, Math.max(refs.get(counter) ?? 0, Number(ref ?? 0), Number(sending ?? 0)));
	}
	return refs;
};
