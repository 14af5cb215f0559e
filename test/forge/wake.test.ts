import {expect, onTestFinished, test} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {ForgeSettings} from '../../source/colony/forge.ts';
import {accepted} from '../../source/domain/errors.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {ForgeContext} from '../../source/forge/context.ts';
import {nextLook, watchRequests} from '../../source/forge/watch.ts';
import {noteDelivery} from '../../source/host/forge-deliveries.ts';
import {ForgeError, type ForgeView} from '../../source/ports/forge.ts';
import {claimOf, createEvent, finishOf, item} from '../helpers/events.ts';
import {createManualClock} from '../reactor/rig.ts';

const [tree, commit] = ['a'.repeat(40), 'b'.repeat(40)];
const about = (kind: string, payload: object) =>
	createEvent('SIGNAL', {kind: `pull_request.${kind}`, taskId: 'gate', ...payload});

const events = [
	createEvent(
		'INSIGHT',
		{kind: 'task.plan', tasks: [item('a'), {...item('gate'), review: 'final'}]},
		{energyBudget: 12},
	),
	claimOf('run-1', 'a'),
	finishOf('run-1'),
	createEvent('VERIFICATION', {kind: 'task.completed', taskId: 'a', status: 'completed'}),
	createEvent('SIGNAL', {kind: 'task.status', taskId: 'gate', status: 'waiting_review'}),
	about('requested', {tree, base: 'main', by: 'human'}),
	about('pushed', {number: 7, url: 'https://forge.example/7', commit, tree}),
];

const view: ForgeView = {
	request: {
		...{number: 7, url: 'https://forge.example/7', state: 'open', isDraft: false, title: 'One', body: ''},
		...{branch: 'hive/one', head: commit, base: 'main'},
	},
	checks: [],
	comments: [],
};

/** Watches one open request. `looks` counts how often the forge was asked about it. */
const watch = async () => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	for (const [index, event] of events.entries()) await bus.append(event, {id: `event-${index}`});
	const settings: ForgeSettings = {
		...{provider: 'github', api: 'https://forge.example', repository: 'ada/hive', remote: 'origin'},
		...{onApprove: 'merge', open: 'on_approve', autoRework: 'none', draft: false},
		...{reviewers: [], labels: [], trusted: []},
	};
	let looks = 0;
	let trouble: ForgeError | undefined;
	const forge: Partial<ForgeContext['forge']> = {
		limit: () => undefined,
		readRequest: async () => {
			looks += 1;
			if (trouble !== undefined) throw trouble;
			return view;
		},
	};
	const reports: string[] = [];
	const ports = {
		context: {bus, clock, checkout: 'here'} as unknown as ActionContext,
		...{settings, report: (message: string) => void reports.push(message)},
	};
	const over = new AbortController();
	const connect = async () => accepted({...ports, forge, remote: {}} as ForgeContext);
	const watching = watchRequests({...ports, connect}, {signal: over.signal, once: false});
	onTestFinished(async () => {
		over.abort();
		await watching;
	});
	const settle = () => new Promise<void>(resolve => setImmediate(resolve));
	return {
		...{reports},
		deliver: (id: string) => noteDelivery(bus, id),
		fail: (error: ForgeError | undefined) => {
			trouble = error;
		},
		/** Moves the clock, and returns the looks meanwhile. */
		pass: async (milliseconds: number): Promise<number> => {
			const before = looks;
			clock.advance(milliseconds);
			for (let turn = 0; turn < 20; turn++) await settle();
			return looks - before;
		},
	};
};

const day = 24 * 3_600_000;

/** A request at which nothing has happened for a day. */
const watchAtRest = async () => {
	const scene = await watch();
	await scene.pass(0);
	await scene.pass(day);
	expect(await scene.pass(299_999)).toBe(0);
	expect(await scene.pass(1)).toBe(1);
	expect(await scene.pass(60_000)).toBe(0);
	return scene;
};

test('a delivery of the webhook makes the next look due at once, and one more soon', async () => {
	const {deliver, pass} = await watchAtRest();
	expect(await deliver('one')).toBe(true);
	expect(await pass(0)).toBe(1);
	expect(await pass(4999)).toBe(0);
	expect(await pass(1)).toBe(1);
	expect(await pass(299_999)).toBe(0);
});

test('a repeated delivery wakes nothing', async () => {
	const {deliver, pass} = await watchAtRest();
	await deliver('one');
	await pass(0);
	await pass(5000);
	expect(await deliver('one')).toBe(false);
	expect(await pass(60_000)).toBe(0);
});

test('any number of deliveries costs one look in five seconds', async () => {
	const {deliver, pass} = await watchAtRest();
	let looks = 0;
	for (let second = 0; second < 60; second++) {
		for (let count = 0; count < 5; count++) await deliver(`${second} ${count}`);
		looks += await pass(1000);
	}
	expect(looks).toBe(12);
});

test('a delivery does not end the pause that the forge asked for', async () => {
	const {deliver, pass, fail} = await watchAtRest();
	const now = Date.UTC(2026, 0, 1) + day + 360_000;
	fail(new ForgeError('limited', 'GitHub accepts no more requests for now.', now + 600_000));
	await deliver('one');
	expect(await pass(0)).toBe(1);
	fail(undefined);
	await deliver('two');
	expect(await pass(599_999)).toBe(0);
	expect(await pass(1)).toBe(1);
});

test.each([
	['none', false, 90_000, 90_000],
	['one', true, 90_000, 15_000],
	['one, and the look was due anyway', true, 12_000, 12_000],
])('the next look after this number of deliveries: %s', (_, isWoken, next, expected) => {
	expect(nextLook({next, lookedAt: 10_000}, isWoken)).toBe(expected);
});
