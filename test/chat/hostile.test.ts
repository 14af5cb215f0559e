import {describe, expect, it} from 'vitest';
import {refuse} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {actionTable} from '../../source/host/actions/table.ts';
import {startBotApi} from '../helpers/bot-api.ts';
import {owner} from '../helpers/bot-platform.ts';
import {claimOf, finishOf, item, planOf, statusOf, traceId} from '../helpers/events.ts';
import {inviteOf} from '../helpers/invites.ts';
import {createOffice, openGateway, quietSettings} from './office.ts';

const waiting = [
	...[statusOf('one', 'ready'), claimOf('run1', 'one'), finishOf('run1'), statusOf('one', 'waiting_review')],
];
const reviewed = (title: string) => [
	planOf({...item('one'), title, review: 'required' as const}),
	...waiting,
];
const stranger = {user: 8, chat: 8};

const open = async (title = 'Title of one', more: Parameters<typeof openGateway>[2] = {}, given = {}) => {
	const [office, api] = [await createOffice(given), await startBotApi()];
	await office.say(...reviewed(title));
	const gateway = await openGateway(office, api, more);
	await gateway.desk.poll();
	return {...gateway, office, api};
};

const completed = {
	...{traceId, agentId: 'human', type: 'VERIFICATION' as const},
	payload: {kind: 'task.completed', taskId: 'one', status: 'completed', summary: 'ok'},
};

describe('untrusted text on a card', () => {
	it('contains no part of a secret, wherever the text is cut', async () => {
		const secret = 'a-key-of-some-length';
		const clean = (text: string): string => text.replaceAll(secret, '[redacted]');
		for (const before of [182, 190, 197]) {
			const {api} = await open(`${'x'.repeat(before)}${secret} and more of it`, {sanitize: clean});
			expect((await api.message('Review')).text).not.toContain('a-k');
		}
	});

	it('is code in a refusal too, and never a link', async () => {
		const preview = async () => refuse('nothing_to_merge', {message: 'See https://evil.example/now.'});
		const {api} = await open('Title of one', {preview});
		const card = await api.message('Review');
		api.press(card, 'Patch');
		await api.until(() => card.text.includes('evil.example') || undefined);
		const at = card.text.indexOf('https://');
		expect(card.entities).toContainEqual(expect.objectContaining({type: 'code', offset: at}));
	});
});

describe('an unauthorised sender', () => {
	it.each([
		['an edited message', {edited_message: {message_id: 5, from: {id: 7}, chat: {id: 7}, text: '/task x'}}],
		['a post of a channel', {channel_post: {message_id: 5, chat: {id: 7}, text: '/task x'}}],
		[
			'words that were passed on',
			{message: {message_id: 5, from: {id: 7}, chat: {id: 7}, text: '/task x', forward_origin: {}}},
		],
		['a bot', {message: {message_id: 5, from: {id: 7, is_bot: true}, chat: {id: 7}, text: '/task x'}}],
		[
			'the press of a stranger',
			{callback_query: {id: 'q', from: {id: 8}, data: 'x.y', message: {message_id: 11, chat: {id: 7}}}},
		],
		['the press in no chat', {callback_query: {id: 'q', from: {id: 7}, data: 'x', inline_message_id: 'i'}}],
	])('gets no answer: %s', async (_, content) => {
		const {api} = await open();
		await api.message('Review');
		const calls = () => api.calls.filter(method => method !== 'getUpdates').length;
		const before = calls();
		api.update(content);
		await api.until(() => api.pending() === 0 || undefined);
		expect(calls()).toBe(before);
	});

	it('cannot press a button of another chat, and cannot pair with a forwarded code', async () => {
		const {makePairingCode} = await import('../../source/chat/pairing.ts');
		const chats = [String(owner.chat), '9'];
		const {api, office} = await open('Title of one', {settings: {...quietSettings, chats}});
		await api.until(() => api.messages.filter(({text}) => text.includes('Review')).length === 2 || undefined);
		const own = api.messages.find(({text, chat}) => text.includes('Review') && chat === '7')!;
		api.press(own, 'Approve', {user: owner.user, chat: 9});
		await api.until(() => api.answers.length === 1 || undefined);
		expect(api.answers[0]).toContain('Nothing was done');
		const code = await makePairingCode({bucket: office.bucket, prefix: 'telegram.1.'}, office.context.clock);
		const from = {id: stranger.user};
		api.update({
			message: {message_id: 90, from, chat: {id: stranger.chat}, text: code, forward_origin: {type: 'user'}},
		});
		await api.until(() => api.pending() === 0 || undefined);
		expect(api.messages.some(({chat}) => chat === '8')).toBe(false);
	});

	it('in a chat that was removed from the settings, receives no result of a card', async () => {
		const first = await open();
		const card = await first.api.message('Review');
		await first.desk.settled();
		await first.stop();
		const settings = {...quietSettings, chats: ['9']};
		const {desk} = await openGateway(first.office, first.api, {settings});
		await first.office.say(completed);
		await desk.poll();
		await desk.settled();
		expect(card.edits).toBe(0);
	});
});

describe('a waiting card', () => {
	it('shows its result however long it has waited', async () => {
		const system = createSystemClock();
		let days = 0;
		const clock = {...system, now: () => system.now() + days * 24 * 60 * 60 * 1000};
		const {api, office, desk} = await open('Title of one', {}, {clock});
		const card = await api.message('Review');
		await desk.settled();
		days = 30;
		await office.say(completed);
		await desk.poll();
		await api.until(() => card.text.includes('answered at the terminal') || undefined);
	});

	it('is never performed by itself, and expires after a day without a confirmation', async () => {
		const system = createSystemClock();
		let days = 0;
		const clock = {...system, now: () => system.now() + days * 24 * 60 * 60 * 1000};
		const {api, office, desk} = await open('Title of one', {}, {clock});
		api.say('/task Add a dark theme');
		const card = await api.message('New task');
		await desk.settled();
		const old = structuredClone(card);
		days = 2;
		await desk.poll();
		await api.until(() => card.text.includes('nothing was done') || undefined);
		api.press(old, 'Start');
		await api.until(() => api.answers.length === 1 || undefined);
		expect((await office.events()).filter(({agentId}) => agentId === 'chat')).toEqual([]);
	});

	it('takes a text that is no reply if it is the only card that asks for one', async () => {
		const {api, office} = await open();
		const card = await api.message('Review');
		api.press(card, 'Reject');
		await api.until(() => card.buttons.flat().length === 1 || undefined);
		api.say('Use tabs.');
		await api.until(() => card.text.includes('Use tabs.') || undefined);
		expect((await office.events()).filter(({agentId}) => agentId === 'chat')).toEqual([]);
		api.press(card, 'Yes: Reject');
		await api.until(() => card.text.includes('Answered in the chat') || undefined);
		expect((await office.events()).at(-1)?.payload).toMatchObject({message: 'Use tabs.'});
	});
});

it("a button of an invite's old card does not answer the invite after its task changed", async () => {
	const [office, api] = [await createOffice(), await startBotApi()];
	await office.say(inviteOf('inv1', {task: 'Talk about tabs'}));
	const {desk} = await openGateway(office, api);
	await desk.poll();
	const card = await api.message('Talk about tabs');
	await desk.settled();
	const shownAt = (await office.events()).at(-1)?.at ?? '';
	// The new invite needs another millisecond than the old one.
	while (office.context.clock.now() <= Number(new Date(shownAt))) await new Promise(setImmediate);
	await office.say(inviteOf('inv1', {task: 'Talk about the budget'}));
	api.press(card, 'Defer');
	await api.until(() => card.buttons.length === 0 || undefined);
	await desk.settled();
	expect((await office.events()).filter(({agentId}) => agentId === 'chat')).toEqual([]);
	const answer = {inviteId: 'inv1', shownAt: new Date(shownAt).toISOString(), defer: true};
	expect(await actionTable['invite.reject'].run(office.context, answer)).toMatchObject({
		refusal: {code: 'stale_view'},
	});
});
