import {Api} from 'grammy/web';
import {refusalOf, wordsOf} from '../../domain/errors.ts';
import type {ChatSettings} from '../../host/host.ts';
import type {Card} from '../card.ts';
import type {Bucket, Context} from '../cards.ts';
import {allCommands} from '../commands.ts';
import type {Desk} from '../desk.ts';
import type {Paired} from '../pairing.ts';
import {pair, readPaired} from '../pairing.ts';
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
};

/** The bot: a channel for a desk, and the loop that hears what people do there. */
export type Telegram = {
	readonly channel: TelegramChannel;
	readonly run: (desk: Desk) => Promise<void>;
};

export const openTelegram = async (ports: Ports): Promise<Telegram> => {
	const {context, bucket, settings, token, signal, report} = ports;
	const {clock} = context;
	const api = new Api(token, {apiRoot: settings.apiRoot, timeoutSeconds: 60});
	let paired = await readPaired(bucket);
	const refs = await readRefs(bucket);
	const listed = settings.users.length === 0 ? [] : settings.chats;
	const channel = createTelegramChannel({
		...{api, clock},
		chats: () => [...new Set([...listed, ...paired.map(({chat}) => chat)])],
		known: chat => refs.get(counterOf(chat)) ?? 0,
	});
	const isKnown = ({user, chat}: Paired): boolean =>
		(settings.users.includes(user) && settings.chats.includes(chat)) ||
		paired.some(each => each.user === user && each.chat === chat);

	const take = async (desk: Desk, {heard, message, query}: Update): Promise<void> => {
		if (heard === undefined) return;
		if (!isKnown(heard)) {
			if (heard.did !== 'say' || !(await pair(bucket, clock, heard.text, heard))) return;
			paired = await readPaired(bucket);
			if (message !== undefined) channel.seen(heard.chat, message);
			await channel
				.tell(heard.chat, 'This chat is paired: hive tells you here what needs you. See /help.')
				.catch(() => {});
			return desk.look();
		}
		if (message !== undefined) channel.seen(heard.chat, message);
		const words = await desk.hear(heard);
		// Too old to be answered, or the platform is away: the card says what came of it.
		if (query !== undefined)
			await api.answerCallbackQuery(query, {text: words.slice(0, 190)}).catch(() => {});
	};

	const refused = async ({heard, query}: Update, error: unknown): Promise<void> => {
		const reason = refusalOf(error);
		report(`Something that a person did was refused: ${reason ? wordsOf(reason) : String(error)}`);
		if (heard === undefined || !isKnown(heard)) return;
		const words = 'The log cannot be reached, so nothing is begun. Look at the card, and press again later.';
		await (query === undefined
			? channel.tell(heard.chat, words)
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
			await poll({...{api, clock, bucket, signal, refused, report}, take: update => take(desk, update)});
		},
	};
};

/** The highest number of a message that is noted on cards, by who counts it. */
const readRefs = async (bucket: Bucket): Promise<ReadonlyMap<string, number>> => {
	const refs = new Map<string, number>();
	for (const {key, value} of await bucket.entries()) {
		if (!key.startsWith('telegram.card.')) continue;
		const {chat, ref, sending}: Card = JSON.parse(value);
		const counter = counterOf(chat);
		refs.set(counter, Math.max(refs.get(counter) ?? 0, Number(ref ?? 0), Number(sending ?? 0)));
	}
	return refs;
};
