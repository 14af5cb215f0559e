import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ChatSettings, Host} from '../host/host.ts';
import {bucketOf, type Context} from './context.ts';
import {openChat} from './open-chat.ts';
import {type Pairings, readPaired} from './paired.ts';
import {makePairingCode, unpair} from './pairing.ts';
import {channelOf} from './telegram/gateway.ts';

/** Somebody whom the bot listens to, in one chat, which it tells what happens. */
export type ListedChat = {
	readonly chat: string;
	readonly user: string;
	readonly by: 'chat.yaml' | 'pairing';
	/** ISO 8601. */
	readonly pairedAt?: string;
};

/** A code that adds a chat. */
export const makeCode = async (host: Host): Promise<Outcome<string>> => {
	const bot = await openBot(host);
	return bot.ok ? accepted(await makePairingCode(bot.value.pairings, bot.value.clock)) : bot;
};

export const listChats = async (host: Host): Promise<Outcome<readonly ListedChat[]>> => {
	const bot = await openBot(host);
	if (!bot.ok) return bot;
	const {settings, pairings} = bot.value;
	const paired = (await readPaired(pairings)).map(
		({user, chat, at}): ListedChat => ({
			...{chat, user, by: 'pairing'},
			...(at !== undefined && {pairedAt: new Date(at).toISOString()}),
		}),
	);
	return accepted([...namedIn(settings), ...paired]);
};

/** Who is paired no more. The chat itself is told still where `chat.yaml` names it. */
type Unpaired = {readonly users: readonly string[]; readonly isNamed: boolean};

/** Takes back the pairings of a chat; a gateway that is running knows at once. */
export const unpairChat = async (host: Host, chat: string): Promise<Outcome<Unpaired>> => {
	const bot = await openBot(host);
	if (!bot.ok) return bot;
	const removed = await unpair(bot.value.pairings, chat);
	const isNamed = namedIn(bot.value.settings).some(named => named.chat === chat);
	if (removed.length > 0) return accepted({users: removed.map(({user}) => user), isNamed});
	return isNamed
		? refuse('chat_not_found', {
				message: `The chat ${chat} is not paired: chat.yaml names it.`,
				hint: 'Take it out of "chat_ids" there, and start the gateway again.',
			})
		: refuse('chat_not_found', {message: `No chat ${chat} is paired.`});
};

/** Everyone that it names, in every chat that it names. */
const namedIn = ({users, chats}: ChatSettings): readonly ListedChat[] =>
	chats.flatMap(chat => users.map((user): ListedChat => ({chat, user, by: 'chat.yaml'})));

const noBot = refuse('invalid_config', {
	message: 'chat.yaml names a webhook and no bot.',
	hint: 'Only a bot has chats: set HIVE_CHAT_BOT_TOKEN, or "bot_token" in chat.yaml.',
});

type Bot = {
	readonly settings: ChatSettings;
	readonly pairings: Pairings;
	readonly clock: Context['clock'];
};

const openBot = async (host: Host): Promise<Outcome<Bot>> => {
	const opened = await openChat(host);
	if (!opened.ok) return opened;
	const {settings, context} = opened.value;
	if (settings.token === undefined) return noBot;
	const pairings = {bucket: bucketOf(context), prefix: `${channelOf(settings.token)}.`};
	return accepted({settings, pairings, clock: context.clock});
};
