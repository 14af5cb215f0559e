import {describe, expect, test} from 'vitest';
import {acceptInvite} from '../../source/actions/accept-invite.ts';
import type {ActionContext} from '../../source/actions/context.ts';
import {recordInvite} from '../../source/actions/record-invite.ts';
import {rejectInvite} from '../../source/actions/reject-invite.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import {maxInviteTaskLength} from '../../source/domain/invite.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {randomHex} from '../../source/drivers/random.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {claimOf, createEvent, finishOf, killOf, traceId} from '../helpers/events.ts';
import {answerOf, inviteOf} from '../helpers/invites.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import {bee, builder, colonyOf} from '../reactor/scene.ts';

const seeded = (energyBudget = 12) =>
	createEvent('SIGNAL', {kind: 'feature.requested', title: 'x'}, {energyBudget});

const sceneOf = async (...events: NewEvent[]) => {
	const clock = createSystemClock();
	const bus = createMemoryBus({clock});
	const ids = createIdSource(clock.now, randomHex);
	const append = async (...more: NewEvent[]) => {
		for (const event of more) await bus.append(event, {id: ids.event()});
	};
	await append(...events);
	const contextOn = (own: Bus, fields: Partial<ActionContext> = {}) =>
		({
			bus: expectNoSecrets(own),
			colony: colonyOf([builder, bee('drone', {adapter: 'alpha'})]),
			...{checkout: 'here', ids, clock, by: 'human', insideRun: undefined},
			...fields,
		}) as unknown as ActionContext;
	return {
		bus,
		append,
		contextOn,
		context: contextOn(bus),
		trace: () => loadTrace(bus, traceId),
		invite: async (inviteId = 'i') => (await loadTrace(bus, traceId)).invites.get(inviteId),
		log: async () => {
			const log = [];
			for await (const batch of bus.read({traceId, after: 0})) log.push(...batch);
			return log.map(({payload}) => payload);
		},
	};
};
type Scene = Awaited<ReturnType<typeof sceneOf>>;

/** Returns a bus whose first `count` appends wait until all callers have read the trace. */
const togetherOn = (bus: Bus, count: number): Bus => {
	let waiting: (() => void)[] = [];
	return {
		...bus,
		appendAll: async (...given) => {
			await new Promise<void>(go => {
				waiting.push(go);
				if (waiting.length < count) return;
				for (const call of waiting) call();
				waiting = [];
				count = 1;
			});
			return bus.appendAll(...given);
		},
	};
};

const requestsIn = async ({log}: Scene) => (await log()).filter(({kind}) => kind === 'session.requested');

describe('accepting an invite', () => {
	test('requests its session in the same append, with its task, its intent and the terminal', async () => {
		const scene = await sceneOf(seeded(), inviteOf('i', {intent: 'grilling'}));
		const done = await acceptInvite(scene.context, {inviteId: 'i', columns: 80, rows: 24, trueColor: true});
		expect(done).toEqual({ok: true, value: {traceId, inviteId: 'i', bee: 'drone', sequence: 4}});
		expect((await scene.log()).slice(2)).toEqual([
			{kind: 'beekeeper.ready', inviteId: 'i', action: 'accept'},
			{
				kind: 'session.requested',
				bee: 'drone',
				body: 'Talk it over',
				inviteId: 'i',
				intent: 'grilling',
				columns: 80,
				rows: 24,
				trueColor: true,
			},
		]);
		expect(await scene.invite()).toMatchObject({status: 'accepted', request: 4});
	});

	test('succeeds for exactly one of several concurrent callers', async () => {
		const scene = await sceneOf(seeded(), inviteOf('i'));
		const context = scene.contextOn(togetherOn(scene.bus, 8));
		const racers = await Promise.all(Array.from({length: 8}, () => acceptInvite(context, {inviteId: 'i'})));
		expect(racers.filter(({ok}) => ok)).toHaveLength(1);
		for (const racer of racers)
			if (!racer.ok)
				expect(racer.refusal).toMatchObject({
					code: 'wrong_status',
					message: expect.stringContaining('already accepted'),
				});
		expect(await requestsIn(scene)).toHaveLength(1);
		expect((await scene.trace()).problems).toEqual([]);
	});

	test('is refused without honey, and the invite stays open', async () => {
		const scene = await sceneOf(seeded(1), claimOf('r', '', {trigger: 1}), inviteOf('i'));
		expect(await acceptInvite(scene.context, {inviteId: 'i'})).toMatchObject({
			refusal: {code: 'honey_exhausted', hint: expect.stringContaining(traceId)},
		});
		expect(await scene.invite()).toMatchObject({status: 'pending'});
	});

	test('is possible again after the session that left it incomplete is over', async () => {
		const scene = await sceneOf(seeded(), inviteOf('i'));
		const accept = () => acceptInvite(scene.context, {inviteId: 'i'});
		await accept();
		await scene.append(claimOf('s', '', {trigger: 4}), inviteOf('i', {status: 'incomplete'}));
		expect(await accept()).toMatchObject({
			refusal: {code: 'wrong_status', message: expect.stringContaining(' s.')},
		});
		await scene.append(finishOf('s'));
		expect(await accept()).toMatchObject({ok: true});
		expect(await requestsIn(scene)).toHaveLength(2);
	});

	test('appends the missing session request if only the acceptance was recorded', async () => {
		const scene = await sceneOf(seeded(), inviteOf('i'), answerOf('i', 'accept'));
		expect(await acceptInvite(scene.context, {inviteId: 'i'})).toMatchObject({ok: true});
		expect((await scene.trace()).problems).toEqual([]);
		expect(await requestsIn(scene)).toHaveLength(1);
	});

	test('is refused for an unknown invite, trace or bee, and for a bee without sessions', async () => {
		const scene = await sceneOf(
			seeded(),
			inviteOf('i'),
			inviteOf('mute', {bee: 'builder'}),
			inviteOf('gone', {bee: 'who'}),
		);
		const codeOf = async (inviteId: string, fields: Partial<ActionContext> = {}, trace?: string) => {
			const done = await acceptInvite(scene.contextOn(scene.bus, fields), {inviteId, traceId: trace});
			return done.ok ? 'ok' : done.refusal.code;
		};
		expect(await codeOf('none')).toBe('invite_not_found');
		expect(await codeOf('i', {}, 'another')).toBe('trace_not_found');
		expect(await codeOf('mute')).toBe('bee_not_found');
		expect(await codeOf('gone')).toBe('bee_not_found');
		expect(await codeOf('i', {insideRun: {traceId, agentId: 'r'}})).toBe('not_for_agents');
		await scene.append(claimOf('r', '', {trigger: 1, place: 'there'}));
		expect(await codeOf('i')).toBe('elsewhere');
		await scene.append(killOf());
		expect(await codeOf('i', {checkout: 'there'})).toBe('trace_killed');
	});

	test('needs a trace id if two traces have an invite of that id', async () => {
		const scene = await sceneOf(seeded(), inviteOf('i'), {...inviteOf('i'), traceId: 'other'});
		expect(await acceptInvite(scene.context, {inviteId: 'i'})).toMatchObject({
			refusal: {code: 'invite_not_found', hint: expect.stringContaining('--trace')},
		});
		expect(await acceptInvite(scene.context, {inviteId: 'i', traceId: 'other'})).toMatchObject({ok: true});
	});
});

describe('rejecting an invite', () => {
	test('cancels it, or defers it until a person accepts it', async () => {
		const scene = await sceneOf(seeded(), inviteOf('i'), inviteOf('j'));
		await rejectInvite(scene.context, {inviteId: 'i'});
		await rejectInvite(scene.context, {inviteId: 'j', defer: true});
		expect([(await scene.invite())?.status, (await scene.invite('j'))?.status]).toEqual([
			'cancelled',
			'deferred',
		]);
		expect(await rejectInvite(scene.context, {inviteId: 'i'})).toMatchObject({
			refusal: {code: 'wrong_status'},
		});
		expect(await acceptInvite(scene.context, {inviteId: 'j'})).toMatchObject({ok: true});
		expect(await rejectInvite(scene.context, {inviteId: 'j'})).toMatchObject({
			refusal: {code: 'wrong_status'},
		});
	});
});

describe('recording an invite', () => {
	const input = {traceId, bee: 'drone', task: 'Talk'};

	test('creates one with an id of its own, or updates the text of a waiting one', async () => {
		const scene = await sceneOf(seeded());
		const made = await recordInvite(scene.context, {...input, intent: 'grilling', artifactRef: 'a.md'});
		const inviteId = made.ok ? made.value.inviteId : '';
		expect(inviteId).toMatch(/^inv-[0-9a-f]{16}$/);
		expect(await scene.invite(inviteId)).toMatchObject({
			task: 'Talk',
			intent: 'grilling',
			artifactRef: 'a.md',
		});
		await recordInvite(scene.context, {...input, task: 'Other', inviteId});
		expect(await scene.invite(inviteId)).toMatchObject({
			task: 'Other',
			intent: 'grilling',
			status: 'pending',
		});
		await rejectInvite(scene.context, {inviteId});
		expect(await recordInvite(scene.context, {...input, inviteId})).toMatchObject({
			refusal: {code: 'wrong_status'},
		});
	});

	test('accepts an intent of the bee in the spelling of the bee, and no other', async () => {
		const scene = await sceneOf(seeded());
		const drone = bee('drone', {adapter: 'alpha', intents: ['general', 'grilling']});
		const context = scene.contextOn(scene.bus, {colony: colonyOf([drone])});
		expect(await recordInvite(context, {...input, inviteId: 'i', intent: ' Grilling '})).toMatchObject({
			ok: true,
		});
		expect(await scene.invite()).toMatchObject({intent: 'grilling'});
		expect(await recordInvite(context, {...input, intent: 'nonsense'})).toMatchObject({
			refusal: {
				code: 'usage',
				message: expect.stringContaining('"nonsense"'),
				hint: 'Its intents: general, grilling.',
			},
		});
	});

	test('is refused if the result would be no valid invite', async () => {
		const scene = await sceneOf(seeded());
		const codeOf = async (fields: object) => {
			const done = await recordInvite(scene.context, {...input, ...fields});
			return done.ok ? 'ok' : done.refusal.code;
		};
		expect(await codeOf({task: ' '})).toBe('usage');
		expect(await codeOf({task: 'x'.repeat(maxInviteTaskLength + 1)})).toBe('schema_validation_failed');
		expect(await codeOf({bee: 'builder'})).toBe('bee_not_found');
		expect(await codeOf({intent: 'x'.repeat(65)})).toBe('schema_validation_failed');
		expect(await codeOf({inviteId: '../x'})).toBe('invalid_id');
		expect(await codeOf({traceId: 'none'})).toBe('trace_not_found');
	});
});
