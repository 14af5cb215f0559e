import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createWaiting, traceId} from '../actions/at-the-gate.ts';
import {startBotApi} from '../helpers/bot-api.ts';
import {createColony} from '../helpers/colony-on-disk.ts';

const fileOf = ({home}: {readonly home: string}): string => join(home, '.config/hive/scratch/chat.yaml');
const chatAt = (url: string) => ({enabled: true, bot_token: '1:secret-token', api_root: url});

describe('the chat of a colony', () => {
	it('is paired, merges a final gate by its card, and continues with the next gateway when one is killed', async () => {
		const [colony, api] = [await createWaiting(), await startBotApi()];
		await writeFile(fileOf(colony), JSON.stringify(chatAt(api.url)), {mode: 0o600});
		const first = colony.follow(['gate', 'chat']);
		const {code} = await colony.ask<{code: string}>(['gate', 'pair']);
		api.say('/status');
		api.say(code);
		await api.message('This chat is paired');
		const card = await api.message('Review');
		expect(card.text).toContain('work.txt +1 -0');
		expect(api.messages.some(({text}) => text.includes('No reactor'))).toBe(false);

		process.kill(first.pid, 'SIGKILL');
		api.press(card, 'Merge');
		colony.follow(['gate', 'chat']);
		await api.until(() => card.text.includes('Merge: are you sure?') || undefined);
		api.press(card, 'Yes: Merge');
		await api.until(() => card.text.includes('Merged into main') || undefined);
		expect(await colony.merges()).toHaveLength(1);
		expect(api.messages.filter(({text}) => text.includes('Review'))).toHaveLength(1);
		const said = (await colony.replay(traceId)).filter(({agentId}) => agentId === 'chat');
		expect(said.map(({payload}) => payload.kind)).toEqual(['merge.started', 'task.completed']);
	});

	it('starts traces with ids that rise with time, along with those from the command line', async () => {
		const [colony, api] = [await createColony(), await startBotApi()];
		const chat = {...chatAt(api.url), allow_from: [7], chat_ids: [7]};
		await writeFile(fileOf(colony), JSON.stringify(chat), {mode: 0o600});
		colony.follow(['gate', 'chat']);
		const inChat = async (words: string): Promise<string> => {
			api.say(`/task ${words}`);
			const card = await api.message(words);
			api.press(card, 'Start');
			await api.until(() => card.text.includes('Trace ') || undefined);
			const now = await colony.ask<{traces: {traceId: string}[]}>(['status']);
			return now.traces.map(({traceId}) => traceId).find(id => !started.includes(id)) ?? '';
		};
		const atTerminal = async () =>
			(await colony.ask<{traceId: string}>(['task', 'create', '-b', 'Do it'])).traceId;
		const started: string[] = [];
		for (const start of [() => inChat('Add one'), atTerminal, () => inChat('Add two'), atTerminal])
			started.push(await start());
		expect(started).toEqual(started.toSorted());
		expect(new Set(started).size).toBe(4);
	});

	it('lists its allowed chats, and neither reads from nor writes to a removed chat', async () => {
		const [colony, api] = [await createWaiting(), await startBotApi()];
		const stranger = {user: 50, chat: -1001234};
		const chat = {...chatAt(api.url), allow_from: [7], chat_ids: [7]};
		await writeFile(fileOf(colony), JSON.stringify(chat), {mode: 0o600});
		colony.follow(['gate', 'chat']);
		const {code} = await colony.ask<{code: string}>(['gate', 'pair']);
		api.say(code, stranger);
		await api.message('This chat is paired');
		const cardIn = (id: string) =>
			api.until(() => api.messages.find(({text, chat: to}) => text.includes('Review') && to === id));
		const [own, card] = [await cardIn('7'), await cardIn('-1001234')];
		const listed = await colony.ask<{chats: object[]}>(['gate', 'chats']);
		expect(listed.chats).toEqual([
			{chat: '7', user: '7', by: 'chat.yaml'},
			{chat: '-1001234', user: '50', by: 'pairing', pairedAt: expect.stringMatching(/^\d{4}-/)},
		]);

		expect(await colony.ask(['gate', 'unpair', '-1001234'])).toEqual({v: 1, chat: '-1001234', users: ['50']});
		expect((await colony.ask<{chats: object[]}>(['gate', 'chats'])).chats).toHaveLength(1);
		const asShown = structuredClone(card);
		api.press(card, 'Merge', stranger);
		api.say('/status', stranger);
		api.press(own, 'Merge');
		await api.until(() => own.text.includes('are you sure') || undefined);
		api.press(own, 'Yes: Merge');
		await api.until(() => own.text.includes('Merged into main') || undefined);
		expect(card).toEqual(asShown);
		expect(api.messages.filter(({chat: to}) => to === '-1001234').at(-1)).toBe(card);

		for (const [id, words] of [
			['-1001234', 'No chat -1001234 is paired.'],
			['7', 'chat.yaml names it'],
		] as const) {
			const {exitCode, stderr} = await colony.hive(['gate', 'unpair', id]);
			expect([exitCode, stderr]).toEqual([3, expect.stringContaining(words)]);
		}
	});

	it('has doctor report whether the bot is reachable, and never its token', async () => {
		const [colony, api] = [await createWaiting(), await startBotApi()];
		const doctor = async () => {
			const {stdout, exitCode} = await colony.hive(['doctor', '--json']);
			expect(stdout).not.toContain('secret-token');
			const {findings} = JSON.parse(stdout) as {findings: {rule: string; message: string}[]};
			const found = findings.filter(({rule}) => rule.startsWith('chat-'));
			return [exitCode, ...found.map(({rule, message}) => `${rule}: ${message}`)];
		};
		expect(await doctor()).toEqual([0]);
		expect(api.calls).toEqual([]);
		await writeFile(fileOf(colony), JSON.stringify(chatAt(api.url)), {mode: 0o600});
		expect(await doctor()).toEqual([0]);
		const host = new URL(api.url).host;
		const answer = {status: 401, description: 'Unauthorized: 1:secret-token'};
		api.faults.push({method: 'getMe', answer});
		expect(await doctor()).toEqual([5, `chat-token: ${host} does not accept the bot token`]);
		api.faults.push({method: 'getWebhookInfo', result: {url: 'https://a.example'}});
		expect(await doctor()).toEqual([5, expect.stringMatching(/^chat-heard: a webhook receives/)]);
		api.faults.push({method: 'getMe', hangs: true});
		expect(await doctor()).toEqual([0, `chat-reached: no Bot API answers at ${host}`]);
		expect(api.calls).not.toContain('getUpdates');
	});

	it('is refused when it is not enabled, and when other users can read its token', async () => {
		const colony = await createWaiting();
		for (const args of [['pair'], ['chats'], ['unpair', '7'], ['chat']])
			expect(await colony.hive(['gate', ...args]), args.join()).toMatchObject({exitCode: 5});
		await writeFile(fileOf(colony), 'enabled: true\nbot_token: "1:x"\n', {mode: 0o644});
		expect((await colony.hive(['gate', 'chat'])).stderr).toContain('others may read it');
	});
});
