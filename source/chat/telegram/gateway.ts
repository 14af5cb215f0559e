import {Api} from 'grammy/web';
import {refusalOf, wordsOf} from '../../domain/errors.ts';
import type {ChatSettings} from '../../host/host.ts';
import type {Card} from '../card.ts';
import {allCommands} from '../commands.ts';
import type {Bucket, Context} from '../context.ts';
import type {Desk} from '../desk.ts';
import {followPaired, isPaired, type Who} from '../paired.ts';
import {pair} from '../pairing.ts';
import {counterOf, createTelegramChannel, type TelegramChannel} from './channel.ts';
import {poll} from './poll.ts';
import type {Update} from './updates.ts';

type Ports = {
	readonly context: Context;
	readonly bucket: Bucket;
	readonly settings: ChatSettings;
	readonly token: string;
	readonly signal: AbortSignal;
	readonly report: (message: string) => void;
	/** Timeout of a call, in seconds. */
	readonly patience?: number;
};

/** The bot: a channel for a desk, and the poll loop for what people do there. */
export type Telegram = {
	readonly channel: TelegramChannel;
	readonly run: (desk: Desk) => Promise<void>;
};

export const openTelegram = async (ports: Ports): Promise<Telegram> => {
	const {context, bucket, settings, token, signal, report, patience = 60} = ports;
	const {clock} = context;
	const api = new Api(token, {apiRoot: settings.apiRoot, timeoutSeconds: patience});
	const name = channelOf(token);
	const pairings = {bucket, prefix: `${name}.`};
	const paired = await followPaired(pairings, {clock, signal});
	const refs = await readRefs(bucket, name);
	const listed = settings.users.length === 0 ? [] : settings.chats;
	const channel = createTelegramChannel({
		...{name, api, clock, signal},
		chats: () => [...new Set([...listed, ...paired.all().map(({chat}) => chat)])],
		known: chat => refs.get(counterOf(chat)) ?? 0,
	});
	const isNamed = ({user, chat}: Who): boolean =>
		settings.users.includes(user) && settings.chats.includes(chat);
	const isKnown = async (who: Who): Promise<boolean> =>
		isNamed(who) || (paired.has(who) && (await isPaired(pairings, who)));

	const take = async (desk: Desk, {heard, message, query}: Update): Promise<void> => {
		if (heard === undefined) return;
		if (!(await isKnown(heard))) {
			if (heard.did !== 'say' || !(await pair(pairings, clock, heard.text, heard))) return;
			await paired.readAgain();
			if (message !== undefined) channel.seen(heard.chat, message);
			const words = 'This chat is paired: hive tells you here what needs you. See /help.';
			await desk.between(heard.chat, () => channel.tell(heard.chat, words)).catch(() => {});
			return desk.look();
		}
		if (message !== undefined) channel.seen(heard.chat, message);
		const words = await desk.hear(heard);
		// The query may be too old, or the platform unreachable. The card shows the result anyway.
		if (query !== undefined)
			await api.answerCallbackQuery(query, {text: words.slice(0, 190)}).catch(() => {});
	};

	const refused = async (desk: Desk, {heard, query}: Update, error: unknown): Promise<void> => {
		const reason = refusalOf(error);
		report(`Something that a person did was refused: ${reason ? wordsOf(reason) : String(error)}`);
		if (heard === undefined || !(isNamed(heard) || paired.has(heard))) return;
		const why = reason?.code === 'bus_unreachable' ? 'The log cannot be reached' : 'Something went wrong';
		const words = `${why}, so nothing is begun. Look at the card, and try again later.`;
		await (query === undefined
			? desk.between(heard.chat, () => channel.tell(heard.chat, words))
			: api.answerCallbackQuery(query, {text: words, show_alert: true})
		).catch(() => {});
	};

	return {
		channel,
		run: async desk => {
			const commands = allCommands(settings).map(({name, summary}) => ({
				command: name,
				description: summary.slice(0, 256),
			}));
			void api.setMyCommands(commands).catch(() => {});
			await poll({
				...{api, clock, bucket, key: `${name}.offset`, signal, report},
				take: update => take(desk, update),
				refused: (update, error) => refused(desk, update, error),
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
