import {accepted} from '../../domain/errors.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const gateChat = command({
	path: 'gate chat',
	summary: 'Run the chat gateway: what needs you comes as cards with buttons, until Ctrl+C.',
	description:
		'chat.yaml beside config.yaml enables the gateway, and names the bot, the users and the chats. HIVE_CHAT_BOT_TOKEN has the token. The gateway needs no reactor. Of several gateways of one colony one answers, and another takes over when that ends. The next gateway finishes what an ended one started.',
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
		'The code works once. It adds the first person who sends it, in the chat where they send it. A new code makes earlier ones void. Other people get no answer, unless chat.yaml names them.',
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
	summary: 'List the users whose messages hive accepts in each chat, from chat.yaml and from pairing.',
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
					? 'No chat is paired. "hive gate pair" adds one.'
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
	summary: 'Remove a paired chat: hive sends it no more messages, and accepts none.',
	description:
		'A running gateway applies this at once. Old messages stay in the chat, but their buttons do nothing. The code that added the chat is void.',
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
				? `Removed the paired users of ${chat}. The chat still gets messages, since chat.yaml names it. To end that, remove it from "chat_ids" there, and start the gateway again.`
				: `Removed ${chat}: hive sends it no more messages, and accepts none.`,
		});
	},
});
