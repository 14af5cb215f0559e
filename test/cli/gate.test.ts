import {describe, expect, it} from 'vitest';
import {chatFace} from '../../source/chat/main.ts';
import {savePairing} from '../../source/chat/paired.ts';
import type {Command} from '../../source/cli/command.ts';
import {gateChats, gatePair, gateUnpair} from '../../source/cli/commands/gate.ts';
import {renderText} from '../../source/cli/text.ts';
import {expectAccepted, type Outcome} from '../../source/domain/errors.ts';
import type {ChatSettings} from '../../source/host/host.ts';
import {createOffice, quietSettings} from '../chat/office.ts';
import {sessionWith} from './session-with.ts';

/** Opens a colony with these chat settings, and returns what a command prints to a person. */
const openGate = async (settings: ChatSettings) => {
	const {context, bucket} = await createOffice();
	const session = sessionWith({
		...{chat: async () => settings, open: async () => context, loadChat: async () => chatFace},
		stdout: {isTTY: true, columns: 80, color: false},
	});
	const ask = async (command: Command, ...words: string[]): Promise<Outcome<string>> => {
		const {run} = expectAccepted(command.prepare({flags: {}, words, problems: []}));
		const ended = await run(session);
		if (!ended.ok) return ended;
		if (!('text' in ended.value)) throw new Error('It says no text.');
		const {text} = ended.value;
		return {ok: true, value: renderText(typeof text === 'function' ? await text() : text, false)};
	};
	const pairings = {bucket, prefix: 'telegram.1.'};
	return {ask, pair: (user: string, chat: string) => savePairing(pairings, {user, chat})};
};

describe('hive gate', () => {
	it('lists no chat at first, and later the users of each chat', async () => {
		const nobody = await openGate({...quietSettings, users: [], chats: []});
		expect(await nobody.ask(gateChats)).toEqual({
			ok: true,
			value: 'No chat is paired. "hive gate pair" adds one.',
		});
		const {ask, pair} = await openGate({...quietSettings, users: ['7', '8']});
		await pair('50', '-1001234567890');
		const rows = expectAccepted(await ask(gateChats)).split('\n');
		expect(rows.map(row => row.trimEnd().split(/ {2,}/))).toEqual([
			['CHAT', 'USER', 'BY', 'SINCE'],
			['7', '7', 'chat.yaml'],
			['7', '8', 'chat.yaml'],
			['-1001234567890', '50', 'pairing'],
		]);
	});

	it('removes a pairing, and warns if chat.yaml still names the chat', async () => {
		const {ask, pair} = await openGate(quietSettings);
		await pair('50', '60');
		await pair('50', '7');
		expect(await ask(gateUnpair, '60')).toEqual({
			ok: true,
			value: 'Removed 60: hive sends it no more messages, and accepts none.',
		});
		expect(await ask(gateUnpair, '7')).toEqual({
			ok: true,
			value:
				'Removed the paired users of 7. The chat still gets messages, since chat.yaml names it. To end that, remove it from "chat_ids" there, and start the gateway again.',
		});
	});

	it('reports that a webhook has no bot, rather than that its chat is unknown', async () => {
		const {token: _, ...rest} = quietSettings;
		const webhook = {url: 'https://hook.example', secret: 'a-secret-of-the-hook'};
		const {ask} = await openGate({...rest, webhook});
		for (const [command, ...words] of [[gateChats], [gatePair], [gateUnpair, '7']] as const)
			expect(await ask(command, ...words)).toMatchObject({
				refusal: {code: 'invalid_config', message: 'chat.yaml names a webhook and no bot.'},
			});
	});
});
