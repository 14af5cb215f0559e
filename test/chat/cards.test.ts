import {describe, expect, it} from 'vitest';
import {accepted, expectAccepted} from '../../source/domain/errors.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Approval} from '../../source/domain/pull-request.ts';
import {startBotApi} from '../helpers/bot-api.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	statusOf,
	traceId,
} from '../helpers/events.ts';
import {inviteOf} from '../helpers/invites.ts';
import {createOffice, deskPorts, openGateway, quietSettings} from './office.ts';

const atGate = [
	planOf(item('one'), {taskId: '_review', title: 'Review', review: 'final', dependsOn: ['one']}),
	...[statusOf('one', 'ready'), claimOf('run1', 'one', {workspace: 'isolated'}), proposalOf('run1', 'one')],
	...[finishOf('run1'), completedOf('one', {agentId: 'run1'}), statusOf('_review', 'waiting_review')],
];
const spent = [
	createEvent('INSIGHT', {kind: 'task.plan', tasks: [item('one'), item('two')]}, {energyBudget: 1}),
	...[claimOf('run1', 'one'), finishOf('run1'), completedOf('one')],
];
const outOfHoney = [...spent, statusOf('two', 'blocked', 'Honey reserve exhausted')];

type More = Parameters<typeof openGateway>[2];

const open = async (events: readonly NewEvent[], more: More = {}) => {
	const [office, api] = [await createOffice(), await startBotApi()];
	await office.say(...events);
	const gateway = await openGateway(office, api, more);
	await gateway.desk.poll();
	const byChat = async () =>
		(await office.events()).filter(({agentId}) => agentId === 'chat').map(({payload}) => payload);
	return {...office, ...gateway, office, api, byChat};
};

const labels = ({buttons}: {readonly buttons: readonly (readonly {readonly text: string}[])[]}) =>
	buttons.flat().map(({text}) => text);

describe('the card of a final gate', () => {
	it('shows alarms, then counts, files and a link made by hive, and has a merge button', async () => {
		const settings = {...quietSettings, consoleUrl: 'https://console.example'};
		const {api} = await open(atGate, {settings});
		const card = await api.message('Review');
		expect(card.text).toContain('(no verdict)');
		expect(card.text.split('\n').slice(2, 6)).toEqual([
			'\u26a0 Tasks: Title of one: running',
			'\u26a0 Checks: No checks ran.',
			'1 task, no checks, 1 file +3 -1, into main, 1 run, 0 s',
			'  a.txt +3 -1',
		]);
		expect(card.text).not.toContain('_review');
		expect(card.entities.filter(({type}) => type === 'text_link')).toEqual([
			expect.objectContaining({url: `https://console.example/#traces/${traceId}`}),
		]);
		expect(labels(card)).toEqual(['Merge', 'Reject', 'Patch']);
	});

	it.each([
		['verification.success', '(passed)'],
		['verification.failed', '(failed)'],
	])('is edited to show the latest verdict of a guard: %s', async (kind, words) => {
		const {api, desk, office} = await open(atGate);
		const card = await api.message('Review');
		await office.say(createEvent('VERIFICATION', {kind, taskId: 'one', summary: 'Looked'}));
		await desk.poll();
		await api.until(() => card.text.includes(words) || undefined);
		await desk.settled();
		expect(api.messages.filter(({text}) => text.includes('Review'))).toHaveLength(1);
	});

	it('shows what failed first, with a line of its output', async () => {
		const failing = createEvent(
			'VERIFICATION',
			{kind: 'verification.failed', taskId: 'one', summary: 'The header is\nnot tested.'},
			{agentId: 'guard1'},
		);
		const {api} = await open([...atGate, failing]);
		const card = await api.message('Review');
		expect(card.text.split('\n')[2]).toBe('\u2717 Guards: guard: "The header is not tested."');
	});

	it('merges only what it shows: its buttons do nothing after the work changes', async () => {
		const [office, api] = [await createOffice(), await startBotApi()];
		await office.say(...atGate);
		const usual = deskPorts(office, {channel: undefined as never}).preview;
		let tree = 'tree1';
		const preview: typeof usual = async asked => accepted({...expectAccepted(await usual(asked)), tree});
		const {desk} = await openGateway(office, api, {preview});
		await desk.poll();
		const card = await api.message('Review');
		await desk.settled();
		const old = structuredClone(card);
		tree = 'tree2';
		api.press(old, 'Patch');
		await api.until(() => card.text.includes('changed after this card was shown') || undefined);
		await desk.poll();
		await desk.settled();
		const before = api.answers.length;
		api.press(old, 'Merge');
		await api.until(() => api.answers.length > before || undefined);
		expect(api.answers.at(-1)).toContain('Nothing was done');
		expect(card.text).not.toContain('are you sure');
		expect(api.files).toEqual([]);
		expect((await office.events()).some(({agentId}) => agentId === 'chat')).toBe(false);
	});
});

describe('the card of a final gate with a forge', () => {
	const to = {...{taskId: '_review', tree: 'tree1'}, ...{base: 'main', by: 'cli'}};
	const pushed = {...to, number: 12, url: 'https://forge.example/pull/12', commit: 'c'.repeat(40)};
	const comment = {id: '1', author: 'ada', isTrusted: true, text: 'Say who made it.', url: ''};
	const withForge = async (onApprove: Approval) => {
		const office = await createOffice();
		const usual = deskPorts(office, {channel: undefined as never}).preview;
		const preview: typeof usual = async asked => accepted({...expectAccepted(await usual(asked)), onApprove});
		return {preview};
	};

	it.each([
		['merge', ['Merge', 'Pull request', 'Reject', 'Patch']],
		['pull_request', ['Pull request', 'Merge', 'Reject', 'Patch']],
	] as const)('has both buttons, %s first', async (onApprove, buttons) => {
		const {api} = await open(atGate, await withForge(onApprove));
		expect(labels(await api.message('Review'))).toEqual(buttons);
	});

	it('sends the work to the forge by its button, after a confirmation', async () => {
		const {api, byChat} = await open(atGate, await withForge('merge'));
		const card = await api.message('Review');
		api.press(card, 'Pull request');
		await api.until(() => card.text.includes('Pull request: are you sure?') || undefined);
		expect(await byChat()).toEqual([]);
	});

	it('has a button that sends news from the forge to the agent, and that is not there without news', async () => {
		const {api, desk, office} = await open(atGate, await withForge('merge'));
		await office.say(
			createEvent('SIGNAL', {kind: 'pull_request.requested', ...to}),
			createEvent('SIGNAL', {kind: 'pull_request.pushed', ...pushed}),
		);
		await desk.poll();
		await desk.settled();
		expect(api.messages.filter(sent => labels(sent).includes('Send to agent'))).toEqual([]);
		await office.say(
			createEvent('SIGNAL', {kind: 'pull_request.news', taskId: '_review', comments: [comment]}),
		);
		await desk.poll();
		const card = await api.message('Pull request #12: 1 comment of ada.');
		expect(labels(card)).toEqual(['Send to agent', 'Merge', 'Pull request', 'Reject', 'Patch']);
	});
});

describe('the card of a merge that lands after its checks', () => {
	const requested = createEvent(
		'SIGNAL',
		{
			...{kind: 'landing.requested', taskId: '_review', tree: 'f'.repeat(40), work: 'a'.repeat(40)},
			...{base: 'main', by: 'cli', strategy: 'merge'},
		},
		{agentId: 'cli'},
	);
	const left = createEvent('SIGNAL', {
		...{kind: 'landing.left', taskId: '_review'},
		reason: 'The checks failed on the merge with main: npm test (exit 1)',
	});

	it('says its place in the queue, and stays open for the button that stops it', async () => {
		const {api, desk, office} = await open(atGate);
		const card = await api.message('Review');
		await office.say(requested);
		await desk.poll();
		await api.until(() => card.text.includes('It lands once its checks have passed') || undefined);
		expect(card.text).toContain('Approved: answered at the terminal');
		expect(card.text).toContain('number 1 on main, waits for its checks.');
		expect(labels(card)).toEqual(['Stop landing']);
	});

	it('leaves the queue by its button after a confirmation, and waits for a decision again', async () => {
		const {api, desk, office, byChat} = await open(atGate);
		const card = await api.message('Review');
		await office.say(requested);
		await desk.poll();
		await api.until(() => labels(card).includes('Stop landing') || undefined);
		api.press(card, 'Stop landing');
		await api.until(() => card.text.includes('Stop landing: are you sure?') || undefined);
		expect(await byChat()).toEqual([]);
		api.press(card, 'Yes: Stop landing');
		await api.until(() => card.text.includes('It left the landing queue') || undefined);
		expect(await byChat()).toEqual([expect.objectContaining({kind: 'landing.left', taskId: '_review'})]);
		expect(labels(card)).toEqual([]);
		await desk.poll();
		const next = await api.message('Landing: Did not land');
		expect(labels(next)).toEqual(['Merge', 'Reject', 'Patch']);
	});

	it('keeps the question whether to stop while the queue moves, and refuses a stop that comes too late', async () => {
		const {api, desk, office} = await open(atGate);
		const card = await api.message('Review');
		await office.say(requested);
		await desk.poll();
		await api.until(() => labels(card).includes('Stop landing') || undefined);
		api.press(card, 'Stop landing');
		await api.until(() => labels(card).includes('Yes: Stop landing') || undefined);
		const asked = structuredClone(card);
		const tree = 'f'.repeat(40);
		const check = claimOf('check1', '_review', {verifies: 'hive.verify', bee: 'hive.verify', lands: tree});
		await office.say(check);
		await desk.poll();
		await desk.settled();
		expect(labels(card)).toContain('Yes: Stop landing');
		await office.say(left);
		await desk.poll();
		api.press(asked, 'Yes: Stop landing');
		await api.until(() => card.text.includes('It did not land. The checks failed') || undefined);
		expect((await office.events()).some(({agentId}) => agentId === 'chat')).toBe(false);
	});

	it('is found by a command where no card was sent', async () => {
		const notify = {...quietSettings.notify, review_final: 'off'} as const;
		const {api, desk, office, byChat} = await open(atGate, {settings: {...quietSettings, notify}});
		api.say('/landing');
		await api.message('No merge waits to land.');
		await office.say(requested);
		await desk.poll();
		api.say('/landing');
		const card = await api.message('1 merge in the landing queue');
		expect(card.text).toContain('number 1 on main, waits for its checks');
		const [stop = ''] = labels(card);
		expect(labels(card)).toEqual([expect.stringMatching(/^Stop /), 'Cancel']);
		api.press(card, stop);
		await api.until(() => labels(card).includes(`Yes: ${stop}`) || undefined);
		api.press(card, `Yes: ${stop}`);
		await api.until(() => card.text.includes('It left the landing queue') || undefined);
		expect(await byChat()).toEqual([expect.objectContaining({kind: 'landing.left'})]);
	});

	it('is followed by a notice once it has landed after its check', async () => {
		const notify = {...quietSettings.notify, 'task.completed': 'silent'} as const;
		const {api, desk, office} = await open(atGate, {settings: {...quietSettings, notify}});
		const tree = 'f'.repeat(40);
		const trigger = atGate.length + 1;
		const check = claimOf('check1', '_review', {verifies: 'hive.verify', bee: 'hive.verify', tree, trigger});
		const passed = {kind: 'landing.checked', taskId: '_review', tree, passed: true, agentId: 'check1'};
		const started = {kind: 'merge.started', taskId: '_review', tree, by: 'cli', checkedBy: 'check1'};
		const merged = {...completedOf('_review').payload, kind: 'task.completed', commit: 'c0ffee1234'};
		await office.say(
			...[requested, check, finishOf('check1'), createEvent('SIGNAL', passed)],
			createEvent('SIGNAL', started, {agentId: 'cli'}),
			createEvent('VERIFICATION', merged, {agentId: 'cli'}),
		);
		await desk.poll();
		const notice = await api.message('\u2713 Landed on main as c0ffee1');
		expect(notice.text).toContain('Title of one');
		expect(notice).toMatchObject({silent: true});
		await desk.poll();
		await desk.settled();
		expect(api.messages.filter(({text}) => text.includes('\u2713 Landed on'))).toHaveLength(1);
	});

	it('is followed by another one if it does not land', async () => {
		const {api, desk, office} = await open(atGate);
		await api.message('Review');
		await office.say(requested);
		await desk.poll();
		await office.say(left);
		await desk.poll();
		const card = await api.message('\u2717 Landing: Did not land');
		expect(card.text).toContain('It did not land. The checks failed on the merge with main');
		expect(labels(card)).toEqual(['Merge', 'Reject', 'Patch']);
	});

	it('offers another check, or a merge without one and a reason, after its checks failed', async () => {
		const {api, desk, office} = await open(atGate);
		await api.message('Review');
		const tree = 'f'.repeat(40);
		const check = claimOf('check1', '_review', {verifies: 'hive.verify', bee: 'hive.verify', lands: tree});
		const failed = {kind: 'landing.checked', taskId: '_review', tree, passed: false, agentId: 'check1'};
		await office.say(...[requested, check, finishOf('check1', 'failed', 'npm test (exit 1)')]);
		await office.say(createEvent('SIGNAL', failed), left);
		await desk.poll();
		const card = await api.message('\u2717 Landing: Did not land');
		expect(labels(card)).toEqual(['Check again', 'Merge without checks', 'Reject', 'Patch']);
		api.press(card, 'Merge without checks');
		await api.until(() => card.text.includes('write now, in your own words') || undefined);
		api.say('The test is known to be flaky.');
		await api.until(() => labels(card).includes('Yes: Merge without checks') || undefined);
		expect(card.text).toContain('The test is known to be flaky.');
	});
});

describe('honey from the chat', () => {
	it('goes to an exhausted trace by a button of its card, at once', async () => {
		const {api, byChat} = await open(outOfHoney);
		const card = await api.message('Blocked');
		expect(labels(card)).toEqual(expect.arrayContaining(['+1', '+5', '+12']));
		api.press(card, '+5');
		await api.until(() => card.text.includes('nswered in the chat') || undefined);
		expect(await byChat()).toEqual(
			expect.arrayContaining([expect.objectContaining({kind: 'energy.add', amount: 5})]),
		);
	});

	it('goes to a trace by a command after a confirmation', async () => {
		const {api, byChat, desk} = await open(atGate);
		api.say('/energy add 0001 7');
		const card = await api.message('Honey: ');
		api.press(card, '+7');
		await api.until(() => card.text.includes('are you sure') || undefined);
		expect(await byChat()).toEqual([]);
		api.press(card, 'Yes: +7');
		await api.until(() => card.buttons.length === 0 || undefined);
		await desk.settled();
		expect(await byChat()).toEqual([expect.objectContaining({kind: 'energy.add', amount: 7})]);
	});
});

describe('a destructive button of a card', () => {
	const failed = [
		planOf(item('one')),
		...[statusOf('one', 'ready'), claimOf('run1', 'one'), finishOf('run1', 'failed', 'no luck')],
		statusOf('one', 'failed', 'no luck'),
	];

	it.each([
		['Cancel task', 'Failed', failed, {kind: 'task.status', status: 'cancelled'}],
		['Kill', 'Failed', failed, {kind: 'system.kill'}],
		['Kill', 'Blocked', outOfHoney, {kind: 'system.kill'}],
	])('needs a confirmation: %s on a card titled %s', async (label, title, events, said) => {
		const {api, byChat} = await open(events);
		const card = await api.message(title);
		api.press(card, label);
		await api.until(() => card.text.includes(`${label}: are you sure?`) || undefined);
		expect(await byChat()).toEqual([]);
		api.press(card, 'Back');
		await api.until(() => labels(card).includes(label) || undefined);
		expect(await byChat()).toEqual([]);
		api.press(card, label);
		await api.until(() => labels(card).includes(`Yes: ${label}`) || undefined);
		api.press(card, `Yes: ${label}`);
		await api.until(() => card.text.includes('nswered in the chat') || undefined);
		expect(await byChat()).toEqual([expect.objectContaining(said)]);
	});
});

describe('a subject whose notifications are off', () => {
	const off = {...quietSettings.notify, invite: 'off', review_required: 'off'} as const;
	const reviewed = planOf({...item('one'), review: 'required'});
	const done = [statusOf('one', 'ready'), claimOf('run1', 'one'), finishOf('run1')];

	it.each([
		['/invites', [inviteOf('inv1', {task: 'Talk about tabs'})], 'Invite Talk about tabs', 'Accept'],
		['/review', [reviewed, ...done, statusOf('one', 'waiting_review')], 'Review Title of one', 'Approve'],
	])('gets a card with buttons when %s asks for it', async (command, events, title, label) => {
		const {api, desk} = await open(events, {settings: {...quietSettings, notify: off}});
		await desk.settled();
		expect(api.messages).toEqual([]);
		api.say(command);
		const card = await api.message(title);
		expect(labels(card)).toContain(label);
		expect(card.silent).toBe(true);
	});

	it('includes a commit gate, unless the person enables its notifications', async () => {
		const left = {kind: 'task.status', taskId: 'one', status: 'waiting_review', unattended: true};
		const work = [claimOf('run1', 'one'), proposalOf('run1', 'one'), finishOf('run1')];
		const atCommit = [planOf(item('one')), ...work, createEvent('SIGNAL', left)];
		const quiet = await open(atCommit);
		await quiet.desk.settled();
		expect(quiet.api.messages).toEqual([]);
		const notify = {...quietSettings.notify, commit_gate: 'sound'} as const;
		const {api} = await open(atCommit, {settings: {...quietSettings, notify}});
		const card = await api.message('It waits for a commit that no bee will make');
		expect(card.silent).toBe(false);
		expect(labels(card)).not.toContain('Reject');
	});
});

describe('an invite', () => {
	it.each([
		['Reject', 'Yes: Reject', 'reject'],
		['Defer', undefined, 'defer'],
	])('is answered with %s by its card', async (label, sure, action) => {
		const {api, byChat, desk} = await open([inviteOf('inv1', {task: 'Talk about tabs'})]);
		const card = await api.message('Talk about tabs');
		expect(labels(card)).toEqual(['Accept', 'Reject', 'Defer']);
		api.press(card, label);
		if (sure !== undefined) {
			await api.until(() => card.text.includes('are you sure') || undefined);
			expect(await byChat()).toEqual([]);
			api.press(card, sure);
		}
		await api.until(() => card.buttons.length === 0 || undefined);
		await desk.settled();
		const answered = expect.objectContaining({kind: 'beekeeper.ready', inviteId: 'inv1', action});
		expect(await byChat()).toEqual(expect.arrayContaining([answered]));
	});

	it('is accepted from its card after a confirmation, which requests its session once', async () => {
		const {api, byChat, desk} = await open([inviteOf('inv1', {bee: 'drone', task: 'Talk about tabs'})]);
		const card = await api.message('Talk about tabs');
		api.press(card, 'Accept');
		await api.until(() => card.text.includes('Accept: are you sure?') || undefined);
		expect(await byChat()).toEqual([]);
		const asked = structuredClone(card);
		for (let times = 0; times < 3; times++) api.press(asked, 'Yes: Accept');
		await api.until(() => card.text.includes('Answered in the chat at') || undefined);
		await api.until(() => api.answers.length === 4 || undefined);
		await desk.settled();
		expect(card.buttons).toEqual([]);
		expect(card.text).toContain('Accepted the invite to drone: a session with drone is requested');
		expect(await byChat()).toEqual([
			{kind: 'beekeeper.ready', inviteId: 'inv1', action: 'accept'},
			expect.objectContaining({kind: 'session.requested', inviteId: 'inv1', body: 'Talk about tabs'}),
		]);
	});

	it('stays open without honey to accept it, and its card reports that and offers honey', async () => {
		const {api, byChat, desk} = await open([...spent, inviteOf('inv1', {task: 'Talk about tabs'})]);
		const card = await api.message('Talk about tabs');
		expect(card.text).toContain('honey: 0/1');
		api.press(card, 'Accept');
		await api.until(() => card.text.includes('are you sure') || undefined);
		api.press(card, 'Yes: Accept');
		await api.until(() => card.text.includes('Nothing more can start') || undefined);
		await desk.settled();
		expect(await byChat()).toEqual([]);
		expect(labels(card)).toEqual(['Accept', 'Reject', 'Defer', '+1', '+5', '+12']);
		api.press(card, '+5');
		await api.until(() => card.text.includes('Added 5 honey') || undefined);
		await desk.settled();
		await desk.poll();
		await api.until(() => card.text.includes('honey: 5/1') || undefined);
		expect(labels(card)).toEqual(['Accept', 'Reject', 'Defer']);
		expect(await byChat()).toEqual([expect.objectContaining({kind: 'energy.add', amount: 5})]);
	});
});

it("a task that no person completed is reported once and silently, if it ended after the gateway's first start", async () => {
	const notify = {...quietSettings.notify, 'task.completed': 'silent'} as const;
	const {api, desk, office} = await open([planOf(item('one'), item('two'), item('three'))], {
		settings: {...quietSettings, notify},
	});
	await office.say(completedOf('two', {agentId: 'run1'}), completedOf('three', {agentId: 'human'}));
	for (let times = 0; times < 2; times++) {
		await desk.poll();
		await desk.settled();
	}
	const told = api.messages.filter(({text}) => text.includes('Completed'));
	expect(told).toMatchObject([{silent: true, text: expect.stringContaining('Title of two')}]);
	await office.say(createEvent('SIGNAL', {kind: 'note.taken'}));
	await desk.poll();
	await desk.settled();
	expect(api.messages.filter(({text}) => text.includes('Completed'))).toHaveLength(1);
});
