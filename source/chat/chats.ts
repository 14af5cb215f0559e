import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ChatSettings, Host} from '../host/host.ts';
import {bucketOf, type Context} from './context.ts';
import {openChat} from './open-chat.ts';
import {type PairingStore, readPaired} from './paired.ts';
import {makePairingCode, unpair} from './pairing.ts';
import {channelOf} from './telegram/gateway.ts';

/** A person in one chat: the bot accepts their commands, and notifies the chat. */
export type ListedChat = {
	readonly chat: string;
	readonly user: string;
	readonly by: 'chat.yaml' | 'pairing';
	/** ISO 8601. */
	readonly pairedAt?: string;
};

/** Returns a code that pairs a chat. */
export const makeCode = async (host: Host): Promise<Outcome<string>> => {
	const bot = await openBot(host);
	return bot.ok ? accepted(await makePairingCode(bot.value.pairings, bot.value.clock)) : bot;
};

export const listChats = async (host: Host): Promise<Outcome<readonly ListedChat[]>> => {
	const bot = await openBot(host);
	if (!bot.ok) return bot;
	const {settings, pairings: pairingStore} = bot.value;
	const paired = (await readPaired(pairingStore)).map(
		({user, chat, at}): ListedChat => ({
			...{chat, user, by: 'pairing'},
			...(at !== undefined && {pairedAt: new Date(at).toISOString()}),
		}),
	);
	return accepted([...configuredChats(settings), ...paired]);
};

/**
 * The users who are no longer paired. `isNamed` is true if `chat.yaml` names the chat, which is still
 * notified then.
 */
type UnpairResult = {readonly users: readonly string[]; readonly isNamed: boolean};

/** Removes the pairings of a chat. A running gateway is notified at once. */
export const unpairChat = async (host: Host, chat: string): Promise<Outcome<UnpairResult>> => {
	const bot = await openBot(host);
	if (!bot.ok) return bot;
	const removed = await unpair(bot.value.pairings, chat);
	const isNamed = configuredChats(bot.value.settings).some(named => named.chat === chat);
	if (removed.length > 0) return accepted({users: removed.map(({user}) => user), isNamed});
	return isNamed
		? refuse('chat_not_found', {
				message: `The chat ${chat} is not paired: chat.yaml names it.`,
				hint: 'Take it out of "chat_ids" there, and start the gateway again.',
			})
		: refuse('chat_not_found', {message: `No chat ${chat} is paired.`});
};

/** Every user in `chat.yaml`, with every chat in it. */
const configuredChats = ({users, chats}: ChatSettings): readonly ListedChat[] =>
	chats.flatMap(chat => users.map((user): ListedChat => ({chat, user, by: 'chat.yaml'})));

const noBot = refuse('invalid_config', {
	message: 'chat.yaml names a webhook and no bot.',
	hint: 'Only a bot has chats: set HIVE_CHAT_BOT_TOKEN, or "bot_token" in chat.yaml.',
});

type Bot = {
	readonly settings: ChatSettings;
	readonly pairings: PairingStore;
	readonly clock: Context['clock'];
};

const openBot = async (host: Host): Promise<Outcome<Bot>> => {
	const opened = await openChat(host);
	if (!opened.ok) return opened;
	const {settings, context} = opened.value;
	if (settings.token === undefined) return noBot;
	const pairingStore = {bucket: bucketOf(context), prefix: `${channelOf(settings.token)}.`};
	return accepted({settings, pairings: pairingStore, clock: context.clock});
};
