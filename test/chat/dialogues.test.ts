import {describe, expect, it} from 'vitest';
import {accepted, expectAccepted} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import type {LiveColony} from '../../source/host/live/live.ts';
import {startBotApi} from '../helpers/bot-api.ts';
import {claimOf, finishOf, item, planOf, createEvent as said, statusOf, traceId} from '../helpers/events.ts';
import {createOffice, deskPreview, openGateway, quietSettings} from './office.ts';

const reviewed = {...item('one'), review: 'required' as const};
const atReview = [
	planOf(reviewed),
	statusOf('one', 'ready'),
	claimOf('run1', 'one'),
	finishOf('run1'),
	statusOf('one', 'waiting_review'),
];
const failed = [
	planOf(item('one')),
	statusOf('one', 'ready'),
	claimOf('run1', 'one'),
	finishOf('run1', 'failed', 'no luck'),
	statusOf('one', 'failed', 'no luck'),
];

const open = async (events = atReview, more: Parameters<typeof openGateway>[2] = {}) => {
	const [office, api] = [await createOffice(), await startBotApi()];
	await office.say(...events);
	const gateway = await openGateway(office, api, more);
	await gateway.desk.poll();
	const kinds = async () =>
		(await office.events()).filter(({agentId}) => agentId === 'chat').map(({payload}) => payload.kind);
	return {...office, ...gateway, office, api, kinds};
};

describe('a review in the chat', () => {
	it('is one card, which asks for confirmation, approves and shows the result', async () => {
		const {api, kinds} = await open();
		const card = await api.message('Review');
		expect(card.text).toContain('Title of one');
		expect(card.text).toContain('a.txt +3 -1');
		api.press(card, 'Approve');
		await api.until(() => card.text.includes('Approve: are you sure?'));
		expect(await kinds()).toEqual([]);
		api.press(card, 'Yes: Approve');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect(card.buttons).toEqual([]);
		expect(await kinds()).toEqual(['task.completed']);
		expect(api.messages.filter(({text}) => text.includes('Review'))).toHaveLength(1);
	});

	it('is rejected with the text of a reply, after a confirmation', async () => {
		const {api, events} = await open();
		const card = await api.message('Review');
		api.press(card, 'Reject');
		await api.until(() => card.text.includes('write now'));
		api.say('Use tabs.', undefined, card.id);
		await api.until(() => card.text.includes('Use tabs.'));
		api.press(card, 'Yes: Reject');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect((await events()).at(-1)?.payload).toMatchObject({kind: 'human.feedback', message: 'Use tabs.'});
	});

	it('shows who answered elsewhere, and a later press does nothing', async () => {
		const {api, say, desk, kinds} = await open();
		const card = await api.message('Review');
		const asShown = structuredClone(card);
		await say({
			traceId,
			agentId: 'human',
			type: 'VERIFICATION',
			payload: {kind: 'task.completed', taskId: 'one', status: 'completed', summary: 'ok'},
		});
		await desk.poll();
		await api.until(() => /Approved: answered at the terminal at /.test(card.text));
		api.press(asShown, 'Approve');
		await api.until(() => api.answers.some(text => text.includes('answered at the terminal')));
		expect(await kinds()).toEqual([]);
	});

	it('acts once however often a button is pressed', async () => {
		const {api, kinds} = await open();
		const card = await api.message('Review');
		api.press(card, 'Approve');
		await api.until(() => card.text.includes('are you sure'));
		const sure = structuredClone(card);
		for (let times = 0; times < 5; times++) api.press(sure, 'Yes: Approve');
		await api.until(() => api.answers.length >= 6);
		await api.until(() => card.text.includes('Answered in the chat'));
		expect(await kinds()).toEqual(['task.completed']);
	});

	it('ignores a button of the same task at another attempt', async () => {
		const {api, say, desk, kinds} = await open();
		const card = await api.message('Review');
		const old = structuredClone(card);
		await say({
			traceId,
			agentId: 'human',
			type: 'INSIGHT',
			payload: {kind: 'human.feedback', taskId: 'one', message: 'again'},
		});
		await say(claimOf('run2', 'one'), finishOf('run2'), statusOf('one', 'waiting_review'));
		await desk.poll();
		await api.until(() => api.messages.filter(({text}) => text.includes('Review')).length === 2 || undefined);
		api.press(old, 'Approve');
		await api.until(() => api.answers.length === 1 || undefined);
		expect(await kinds()).toEqual([]);
	});

	it('sends the patch as a file', async () => {
		const {api} = await open();
		api.press(await api.message('Review'), 'Patch');
		await api.until(() => api.files.length === 1 || undefined);
		expect(api.files[0]).toMatchObject({chat: '7', name: `${traceId}.patch`});
		expect(api.files[0]?.body).toContain('the patch');
	});

	it('escapes control characters in paths and in the patch, and warns of them', async () => {
		const hiding: LiveColony['preview'] = async request => {
			const seen = expectAccepted(await deskPreview(request));
			return accepted({
				...{...seen, patch: '+/*\u001b]0;*/ evil();'},
				files: [{path: 'odd\u001b]0;.js', added: 1, removed: 0}],
				hidden: [{path: 'odd\u001b]0;.js', kind: 'control', count: 2}],
				planted: ['refs/replace'],
			});
		};
		const {api} = await open(undefined, {preview: hiding});
		const card = await api.message('Review');
		expect(card.text).toContain('odd<U+001B>]0;.js +1 -0');
		expect(card.text).toContain('odd<U+001B>]0;.js (2 control characters)');
		expect(card.text).toContain('objects are replaced (refs/replace)');
		api.press(card, 'Patch');
		await api.until(() => api.files.length === 1 || undefined);
		expect(api.files[0]?.body).toContain('+/*<U+001B>]0;*/ evil();');
	});
});

describe('other cards', () => {
	it('retry a failed task', async () => {
		const {api, kinds} = await open(failed);
		const card = await api.message('Failed');
		api.press(card, 'Retry');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect(await kinds()).toContain('task.ready');
	});

	it('are not sent for a category that is off, and are silent for a silent one', async () => {
		const notify = {...quietSettings.notify, failed: 'off', review_required: 'silent'} as const;
		const {api} = await open(atReview, {settings: {...quietSettings, notify}});
		expect((await api.message('Review')).silent).toBe(true);
		const other = await open(failed, {settings: {...quietSettings, notify}});
		other.api.say('/help');
		await other.api.message('/status');
		expect(other.api.messages.some(({text}) => text.includes('Failed'))).toBe(false);
	});
});

describe('commands', () => {
	it('start a task on a new trace after a confirmation', async () => {
		const {api, events} = await open([]);
		api.say('/task Add a dark theme');
		const card = await api.message('New task');
		expect(await events()).toEqual([]);
		api.press(card, 'Start');
		await api.until(() => card.text.includes('Trace ') || undefined);
		const plan = (await events()).find(({payload}) => payload.kind === 'task.plan');
		expect(plan).toMatchObject({
			agentId: 'chat',
			payload: {tasks: [{title: 'Add a dark theme', bee: 'builder'}]},
		});
	});

	it('start it with bee, review and intent of the settings, and without autorun if the settings say so', async () => {
		const task = {bee: 'drone', intent: 'grilling', review: 'required', autorun: false} as const;
		const {api, events} = await open([], {settings: {...quietSettings, task}});
		api.say('/task Add a dark theme');
		const card = await api.message('New task for drone');
		api.press(card, 'Start');
		await api.until(() => card.text.includes('Trace ') || undefined);
		const planned = [{bee: 'drone', intent: 'grilling', review: 'required'}];
		expect(await events()).toMatchObject([{payload: {kind: 'task.plan', tasks: planned}}]);
	});

	it('give traces that start in one millisecond different ids, in the order of the presses', async () => {
		const stopped = Date.now();
		const context = {clock: {...createSystemClock(), now: () => stopped}};
		const [office, api] = [await createOffice(context), await startBotApi()];
		await openGateway(office, api);
		const started: string[] = [];
		const newest = async () => (await office.events()).at(-1)?.traceId ?? '';
		for (const words of ['one', 'two', 'three']) {
			api.say(`/task Add ${words}`);
			const card = await api.message(`Add ${words}`);
			api.press(card, 'Start');
			await api.until(() => card.text.includes('Trace ') || undefined);
			started.push(await newest());
		}
		expect(started).toEqual(started.toSorted());
		expect(started.map(id => Number.parseInt(id.slice(6, 18), 16) - stopped)).toEqual([0, 1, 2]);
	});

	it.each([
		['/status', /shop[\s\S]*Waiting for you: 1 review/],
		['/traces', /1 task/],
		['/review', /1 review, each on its card/],
		['/invites', /No invite waits/],
		['/energy 0001', /Honey: /],
		['/nonsense', /\/status - /],
	])('answer %s', async (command, words) => {
		const {api} = await open();
		api.say(command);
		expect((await api.message(words)).text).toMatch(words);
	});
});

describe('custom commands', () => {
	const custom = [
		{name: 'feature', description: 'Ask for a *feature*', emits: {cue: 'feature'}},
		{
			...{name: 'bug', description: 'A bug'},
			emits: {kind: 'bug.found', static: {level: 1, title: 'never', source: 'never'}},
		},
		{name: 'lost', description: 'A cue that is gone', emits: {cue: 'gone'}},
		{
			...{name: 'wrong', description: 'Not as its kind is'},
			emits: {kind: 'energy.add', static: {amount: 'many'}},
		},
	];
	const openWith = () => open([], {settings: {...quietSettings, custom}});

	it('are in the list of commands, and ask for text if their cue needs one', async () => {
		const {api, events} = await openWith();
		api.say('/help');
		expect((await api.message('/feature <text>')).text).toContain('/bug <text> - A bug');
		api.say('/feature');
		await api.message('Say more: /feature <text>.');
		expect(await events()).toEqual([]);
	});

	it.each([
		['/feature', 'feature.requested', {title: 'Dark theme', body: 'and a light one', source: 'chat'}],
		[
			'/bug',
			'bug.found',
			{title: 'Dark theme', body: 'Dark theme\nand a light one', source: 'chat', level: 1},
		],
	])(
		'%s shows a preview, and emits its signal on a new trace after a confirmation',
		async (command, kind, payload) => {
			const {api, events, desk} = await openWith();
			api.say(`${command} Dark theme\nand a light one`);
			const card = await api.message('Dark theme');
			expect(card.text).toContain('and a light one');
			expect(card.buttons.flat().map(({text}) => text)).toEqual(['Start', 'Cancel']);
			expect(await events()).toEqual([]);
			const asShown = structuredClone(card);
			for (let times = 0; times < 3; times++) api.press(asShown, 'Start');
			await api.until(() => api.answers.length === 3 || undefined);
			await api.until(() => card.text.includes('Trace ') || card.text.includes('Published') || undefined);
			await desk.settled();
			const said = await events();
			expect(said).toMatchObject([{agentId: 'chat', type: 'SIGNAL', payload: {kind, ...payload}}]);
			expect(said[0]?.traceId).toMatch(/^trace-/);
		},
	);

	it('need no text if their payload is fixed', async () => {
		const {api, events, desk} = await openWith();
		api.say('/bug');
		const card = await api.message('A bug');
		api.press(card, 'Start');
		await api.until(() => card.text.includes('Trace ') || undefined);
		await desk.settled();
		const [said] = await events();
		expect(said?.payload).toEqual({kind: 'bug.found', level: 1, title: 'never', source: 'chat'});
	});

	it('do nothing after a cancel', async () => {
		const {api, events} = await openWith();
		api.say('/bug It crashes');
		const card = await api.message('It crashes');
		const asShown = structuredClone(card);
		api.press(card, 'Cancel');
		await api.until(() => card.text.includes('Dismissed') || undefined);
		api.press(asShown, 'Start');
		await api.until(() => api.answers.length === 2 || undefined);
		expect(await events()).toEqual([]);
	});

	it.each([
		['/lost', /gone/],
		['/wrong', /payload\.amount must be a whole number/],
	])('%s, which is invalid, names the reason and can be cancelled', async (command, why) => {
		const {api, events} = await openWith();
		api.say(`${command} It crashes`);
		const card = await api.message('It crashes');
		api.press(card, 'Start');
		await api.until(() => why.test(card.text) || undefined);
		expect(card.buttons.flat().map(({text}) => text)).toContain('Cancel');
		expect(await events()).toEqual([]);
	});
});

describe('quiet hours', () => {
	it('silence notifications, send each cause once, and end with sound again', async () => {
		let now = Date.parse('2026-03-01T23:30:00Z');
		const clock = {...createSystemClock(), now: () => now};
		const [office, api] = [await createOffice({clock}), await startBotApi()];
		const settings = {...quietSettings, quiet: {from: 22 * 60, to: 7 * 60}};
		const {desk} = await openGateway(office, api, {settings});
		const shown = () =>
			api.messages
				.filter(({text}) => /Failed|Review/.test(text))
				.map(({text, silent}) => [/Failed|Review/.exec(text)?.[0], silent]);
		await office.say(...failed);
		await desk.poll();
		await api.message('Failed');
		now = Date.parse('2026-03-02T07:00:00Z');
		await desk.poll();
		await desk.settled();
		expect(shown()).toEqual([['Failed', true]]);
		await office.say(...atReview.map(event => ({...event, traceId: 'trace-2'})));
		await desk.poll();
		await api.message('Review');
		expect(shown()).toEqual([
			['Failed', true],
			['Review', false],
		]);
	});

	it('send nothing of a category that is off, and change nothing of a silent one', async () => {
		const clock = {...createSystemClock(), now: () => Date.parse('2026-03-01T23:30:00Z')};
		const [office, api] = [await createOffice({clock}), await startBotApi()];
		const notify = {...quietSettings.notify, failed: 'off', review_required: 'silent'} as const;
		const settings = {...quietSettings, notify, quiet: {from: 22 * 60, to: 7 * 60}};
		const {desk} = await openGateway(office, api, {settings});
		await office.say(...failed, ...atReview.map(event => ({...event, traceId: 'trace-2'})));
		await desk.poll();
		expect(await api.message('Review')).toMatchObject({silent: true});
		await desk.settled();
		expect(api.messages.some(({text}) => text.includes('Failed'))).toBe(false);
	});
});

describe('a stranger', () => {
	it.each([
		['a user who is not known', {user: 8, chat: 7}],
		['a chat that is not known', {user: 7, chat: 8}],
	])('gets no answer: %s', async (_, who) => {
		const {api, kinds} = await open();
		const card = await api.message('Review');
		const before = api.calls.filter(method => method !== 'getUpdates').length;
		api.say('/status', who);
		api.press(card, 'Approve', who);
		await api.until(() => api.pending() === 0 || undefined);
		expect(api.calls.filter(method => method !== 'getUpdates')).toHaveLength(before);
		expect(await kinds()).toEqual([]);
	});
});

describe('a task that waits for a person', () => {
	const waits = (waitsFor: string, summary: string) =>
		said('SIGNAL', {kind: 'task.status', taskId: 'one', status: 'waiting_review', summary, waitsFor});
	const begun = [planOf(item('one')), statusOf('one', 'ready'), claimOf('run1', 'one')];
	const question = {kind: 'human.question', questionId: 'q1', text: 'A or B?', options: ['A', 'B']};
	const atQuestion = [
		...begun,
		said('SIGNAL', question, {agentId: 'run1'}),
		finishOf('run1'),
		waits('question', 'A or B?'),
	];
	const unchanged = {...finishOf('run1', 'completed', 'Changed nothing: why?').payload, noChange: 'ask'};
	const atNoChange = [...begun, said('SIGNAL', unchanged), waits('no_change', 'Changed nothing: why?')];

	it('is answered by an option button, after a confirmation', async () => {
		const {api, events} = await open(atQuestion);
		const card = await api.message('Question');
		expect(card.text).toContain('It asks: A or B? (A / B)');
		api.press(card, 'B');
		await api.until(() => card.text.includes('B: are you sure?'));
		api.press(card, 'Yes: B');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect((await events()).at(-1)?.payload).toMatchObject({kind: 'human.answer', option: 'B'});
	});

	it('is answered with text', async () => {
		const {api, events} = await open(atQuestion);
		const card = await api.message('Question');
		api.press(card, 'Answer');
		await api.until(() => card.text.includes('write now'));
		api.say('Neither.', undefined, card.id);
		await api.until(() => card.text.includes('Neither.'));
		api.press(card, 'Yes: Answer');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect((await events()).at(-1)?.payload).toMatchObject({kind: 'human.answer', text: 'Neither.'});
	});

	it('shows who answered elsewhere, and a later press does nothing', async () => {
		const {api, say, desk, kinds} = await open(atQuestion);
		const card = await api.message('Question');
		const asShown = structuredClone(card);
		await say(said('INSIGHT', {kind: 'human.answer', questionId: 'q1', option: 'A'}, {agentId: 'human'}));
		await desk.poll();
		await api.until(() => /Answered: answered at the terminal at /.test(card.text));
		api.press(asShown, 'B');
		await api.until(() => api.answers.some(text => text.includes('answered at the terminal')));
		expect(await kinds()).toEqual([]);
	});

	it('is accepted as done if its run changed nothing', async () => {
		const {api, kinds} = await open(atNoChange);
		const card = await api.message('Changed nothing');
		api.press(card, 'Accept as done');
		await api.until(() => card.text.includes('Accept as done: are you sure?'));
		api.press(card, 'Yes: Accept as done');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect(await kinds()).toEqual(['task.completed']);
	});
});

describe('a plan in the chat', () => {
	const requested = said(
		'SIGNAL',
		{kind: 'feature.requested', title: 'Add it', planReview: 'required'},
		{energyBudget: 12},
	);
	const plan = {kind: 'task.plan', tasks: [item('one'), item('two', 'one')]};
	const planned = [
		requested,
		claimOf('scout1', '', {trigger: 1}),
		said('INSIGHT', plan, {agentId: 'scout1'}),
		finishOf('scout1'),
	];

	it('is one card with its tasks, and is accepted after a confirmation', async () => {
		const {api, kinds} = await open(planned);
		const card = await api.message('Plan');
		expect(card.text).toContain('1. Title of one\n2. Title of two');
		api.press(card, 'Accept plan');
		await api.until(() => card.text.includes('Accept plan: are you sure?'));
		api.press(card, 'Yes: Accept plan');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect(await kinds()).toEqual(['plan.accepted']);
	});

	it('goes back with the text of a reply', async () => {
		const {api, events} = await open(planned);
		const card = await api.message('Plan');
		api.press(card, 'Return plan');
		await api.until(() => card.text.includes('write now'));
		api.say('Tests first.', undefined, card.id);
		await api.until(() => card.text.includes('Tests first.'));
		api.press(card, 'Yes: Return plan');
		await api.until(() => card.text.includes('Answered in the chat'));
		expect((await events()).at(-1)?.payload).toMatchObject({kind: 'plan.returned', message: 'Tests first.'});
	});
});
