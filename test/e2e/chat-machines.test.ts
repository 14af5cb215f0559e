import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {startBotApi} from '../helpers/bot-api.ts';
import {owner} from '../helpers/bot-platform.ts';
import type {ColonyOnDisk} from '../helpers/colony-on-disk.ts';
import {createMachines} from '../helpers/machines.ts';
import {startServerOfTest} from '../helpers/server-of-test.ts';

const builder = {script: 'echo "Did it"'};

/** Two machines on one server with one bot, and a waiting review. */
const createTwo = async () => {
	const [server, api] = [await startServerOfTest(), await startBotApi()];
	const link = {url: server.url, under: []};
	const [one, other] = await createMachines(server, [link, link], {bees: {builder}});
	const machines = [one, other as ColonyOnDisk] as const;
	const chat = {
		...{enabled: true, bot_token: '1:secret-token', api_root: api.url},
		...{allow_from: [owner.user], chat_ids: [owner.chat]},
	};
	for (const {home} of machines) {
		await mkdir(join(home, '.config/hive/scratch'), {recursive: true});
		await writeFile(join(home, '.config/hive/scratch/chat.yaml'), JSON.stringify(chat), {mode: 0o600});
	}
	const plan = JSON.stringify({
		tasks: [{taskId: 'work', title: 'Do it', review: 'required', bee: 'builder'}],
	});
	const review = async (traceId: string) => {
		await one.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: plan});
		await one.hive(['run', '--until-idle']);
	};
	await review('trace-1');
	return {server, api, one, other: machines[1], review};
};

const isReview = ({text}: {text: string}): boolean => text.includes('Review');

describe('a chat of several machines', () => {
	it('is answered by one gateway at a time, and by the next once that one is killed, without parallel polls', async () => {
		const {api, one, other, review} = await createTwo();
		const first = one.follow(['gate', 'chat']);
		const card = await api.message('Review');
		const second = other.follow(['gate', 'chat']);
		await second.says('Another gateway answers');
		const rival = one.follow(['gate', 'chat']);
		await rival.says('of this checkout');

		// A rival of the same checkout takes over at once, without waiting for the lease to expire.
		await first.kill('SIGKILL');
		await rival.says('The gateway is running');
		api.press(card, 'Approve');
		await api.until(() => card.buttons.flat().find(({text}) => text.startsWith('Yes')));

		await rival.kill('SIGKILL');
		await second.says('The gateway is running');
		api.press(card, 'Yes: Approve');
		await api.until(() => card.text.includes('nswered in the chat') || undefined);
		await review('trace-2');
		await api.until(() => api.messages.filter(isReview).length === 2 || undefined);
		const approved = (await one.replay('trace-1')).filter(({payload}) => payload.kind === 'task.completed');
		expect(approved.map(({agentId}) => agentId)).toEqual(['chat']);
		expect(api.calls.filter(method => method === 'getUpdates').length).toBeGreaterThan(3);
		expect(api.conflicts()).toBe(0);
	});

	it('reports a lost log and refuses actions, and continues once the log is back', async () => {
		const {server, api, one} = await createTwo();
		const gateway = one.follow(['gate', 'chat']);
		const card = await api.message('Review');
		await server.stop();
		api.press(card, 'Approve');
		await api.until(() => api.answers.some(text => text.includes('nothing was started')) || undefined);
		expect(card.text).not.toContain('sure');
		await server.start();
		// Reconnecting may take a while, and each press before that gets a refusal.
		const isAsked = () => card.buttons.flat().some(({text}) => text.startsWith('Yes'));
		while (!isAsked()) {
			const before = api.answers.length;
			api.press(card, 'Approve');
			await api.until(() => api.answers.length > before || undefined);
			await api.until(() => isAsked() || api.answers.at(-1) !== '' || undefined);
		}
		api.press(card, 'Yes: Approve');
		await api.until(() => card.text.includes('nswered in the chat') || undefined);
		expect(api.messages.filter(isReview)).toHaveLength(1);
		await gateway.kill('SIGTERM');
	});
});
