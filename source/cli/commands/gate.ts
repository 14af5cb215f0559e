import {accepted} from '../../domain/errors.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const gateChat = command({
	path: 'gate chat',
	summary: 'Tell and hear in a chat: what needs you comes as cards with buttons, until Ctrl+C.',
	description:
		'chat.yaml beside config.yaml enables it and names the bot, the users and the chats; HIVE_CHAT_BOT_TOKEN has the token. It needs no reactor. Of several gateways of one colony one answers, and another takes over when that ends. What was begun when it is ended goes on with the next.',
	flags: {},
	examples: ['gate chat'],
	run: async (_, commandContext) => {
		const {runGateway} = await commandContext.loadChat();
		const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
		const ended = await runGateway(commandContext, {signal: commandContext.signal, report});
		return ended.ok ? accepted({json: {}, text: ''}) : ended;
	},
});

export const gatePair = command({
	path: 'gate pair',
	summary: 'Print a code that adds a chat: send it to the bot within ten minutes.',
	description:
		'It counts once, for whoever sends it first, in the chat that they send it in. An earlier code is void. Everybody else whom chat.yaml does not name gets no answer.',
	flags: {},
	json: '{v, code, minutes}',
	run: async (_, commandContext) => {
		const {makeCode} = await commandContext.loadChat();
		const made = await makeCode(commandContext);
		if (!made.ok) return made;
		return accepted({
			json: {code: made.value, minutes: 10},
			text: `${made.value}\nSend it to the bot within ten minutes.`,
		});
	},
});

export const gateChats = command({
	path: 'gate chats',
	summary: 'List who is listened to in which chat: those of chat.yaml, and those that are paired.',
	flags: {},
	examples: ['gate chats', 'gate chats --json'],
	json: '{v, chats: [{chat, user, by, pairedAt?}]}',
	run: async (_, commandContext) => {
		const {listChats} = await commandContext.loadChat();
		const listed = await listChats(commandContext);
		if (!listed.ok) return listed;
		const chats = listed.value;
		const rows = chats.map(({chat, user, by, pairedAt}) => [
			...[chat, user, by],
			pairedAt === undefined ? '' : localMoment(pairedAt),
		]);
		return accepted({
			json: {chats},
			text: async () =>
				rows.length === 0
					? 'Nobody is listened to. "hive gate pair" adds a chat.'
					: renderTable(
							['CHAT', 'USER', 'BY', 'SINCE'].map(title => ({title})),
							rows,
							commandContext.stdout.columns,
						),
		});
	},
});

export const gateUnpair = command({
	path: 'gate unpair',
	summary: 'Remove a paired chat: it is told nothing more, and nobody there is heard.',
	description:
		'A gateway that is running knows at once. What its messages show stays as it is, and their buttons do nothing. The code that added it is void.',
	flags: {},
	arguments: {chat: text({summary: 'Chat, as "hive gate chats" lists it.', hint: '<chat>', required: true})},
	examples: ['gate unpair 123456789', 'gate unpair -1001234567890'],
	json: '{v, chat, users}',
	run: async ({chat}, commandContext) => {
		const {unpairChat} = await commandContext.loadChat();
		const removed = await unpairChat(commandContext, chat);
		if (!removed.ok) return removed;
		const {users, isNamed} = removed.value;
		return accepted({
			json: {chat, users},
			text: isNamed
				? `Removed who was paired in ${chat}. It is told still, since chat.yaml names it: take it out of "chat_ids" there, and start the gateway again.`
				: `Removed ${chat}: it is told nothing more, and nobody there is heard.`,
		});
	},
});
