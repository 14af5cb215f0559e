import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';

export const gateChat = command({
	path: 'gate chat',
	summary: 'Tell and hear in a chat: what needs you comes as cards with buttons, until Ctrl+C.',
	description:
		'chat.yaml beside config.yaml enables it and names the bot, the users and the chats; HIVE_CHAT_BOT_TOKEN has the token. It needs no reactor. Of several gateways of one colony one answers, and another takes over when that ends. What was begun when it is ended goes on with the next.',
	flags: {},
	examples: ['gate chat'],
	run: async (_, session) => {
		const {runGateway} = await session.loadChat();
		const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
		const ended = await runGateway(session, {signal: session.signal, report});
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
	run: async (_, session) => {
		const {makeCode} = await session.loadChat();
		const made = await makeCode(session);
		if (!made.ok) return made;
		return accepted({
			json: {code: made.value, minutes: 10},
			text: `${made.value}\nSend it to the bot within ten minutes.`,
		});
	},
});
