import {afterEach, describe, expect, test} from 'vitest';
import type {Payload} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {decide} from '../../source/reactor/decide.ts';
import {decideDrops} from '../../source/reactor/decide-pending.ts';
import {
	announcedOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
	statuses,
	statusOf,
	taskOf,
	traceId,
} from '../helpers/events.ts';
import {createRig, limitTime, type Rig, type Script} from './rig.ts';
import {bee, builder, colonyOf, direct, guard, isolated, machineOf, pendingRun, planner} from './scene.ts';

const colony = colonyOf([builder, planner, guard]);
const until = '2026-01-01T00:10:00.000Z';
const requested = createEvent('SIGNAL', {kind: 'feature.requested', title: 'Do it'}, {energyBudget: 12});

let rig: Rig | undefined;
const rigWith = (script: Script, read = colony): Rig => {
	rig = createRig({colony: read, script});
	return rig;
};
afterEach(() => rig?.close());

const runsOf = (trace: Trace): string[] =>
	[...trace.runs.values()].map(
		({bee: role, status, pausedUntil}) => `${role} ${status} ${pausedUntil ?? ''}`,
	);

describe('a task whose run hit a usage limit of its tool', () => {
	test('is blocked until the limit passes, gets its honey back, and then continues by itself', async () => {
		const {start, say: append, bus, clock, notes} = rigWith({builder: 'limited'});
		const reactor = await start();
		await append(planOf(item('a')));
		await reactor.idle();
		const paused = await loadTrace(bus, traceId);
		expect(taskOf(paused, 'a')).toMatchObject({status: 'blocked', pausedUntil: until});
		expect(paused.energyRemaining).toBe(12);
		clock.advance(limitTime - 1000);
		await reactor.idle();
		expect(notes.filter(note => note === 'begin builder')).toHaveLength(1);
		clock.advance(1000);
		await reactor.idle();
		const resumed = await loadTrace(bus, traceId);
		expect(statuses(resumed)).toEqual({a: 'completed', _review: 'waiting_review'});
		expect(taskOf(resumed, 'a').pausedUntil).toBeUndefined();
		// One unit is for the second run, and one for the guard.
		expect(resumed.energyRemaining).toBe(10);
	});

	test('continues when a reactor starts after the limit has passed', async () => {
		const {start, say: append, bus, clock} = rigWith({builder: 'limited'});
		const first = await start();
		await append(planOf(item('a')));
		await first.idle();
		await first.close();
		clock.advance(limitTime);
		await (await start()).idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed', _review: 'waiting_review'});
	});

	test('is not unblocked by honey, and holds up the queue', async () => {
		const {start, say: append, bus} = rigWith({builder: 'limited'});
		const reactor = await start();
		await append(planOf(item('a'), item('b')));
		await reactor.idle();
		await append(createEvent('SIGNAL', {kind: 'energy.add', amount: 5}));
		await reactor.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'blocked', b: 'planned'});
	});

	test('does not wait for the limit if a person retries it', async () => {
		const {start, say: append, bus} = rigWith({builder: 'limited'});
		const reactor = await start();
		await append(planOf(item('a')));
		await reactor.idle();
		await append(readyOf('a'));
		await reactor.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed', _review: 'waiting_review'});
	});

	test('is cancelled with its trace and does not return', async () => {
		const {start, say: append, bus, clock, notes} = rigWith({builder: 'limited'});
		const reactor = await start();
		await append(planOf(item('a')));
		await reactor.idle();
		await append(createEvent('SIGNAL', {kind: 'system.kill', reason: 'enough'}));
		await reactor.idle();
		clock.advance(limitTime);
		await reactor.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'cancelled'});
		expect(notes.filter(note => note === 'begin builder')).toHaveLength(1);
	});
});

describe('a direct run that hit a usage limit', () => {
	test('is requested again once the limit passes, for one unit in all', async () => {
		const {start, say: append, bus, clock} = rigWith({planner: 'limited'});
		const reactor = await start();
		await append(requested);
		await reactor.idle();
		expect(runsOf(await loadTrace(bus, traceId))).toEqual([`planner failed ${until}`]);
		clock.advance(limitTime);
		await reactor.idle();
		clock.advance(limitTime);
		await reactor.idle();
		const trace = await loadTrace(bus, traceId);
		expect(runsOf(trace)).toEqual([`planner failed ${until}`, 'planner completed ']);
		expect(trace.energyRemaining).toBe(11);
	});

	test('is repeated at once if a person asks for it', async () => {
		const {start, say: append, bus} = rigWith({planner: 'limited'});
		const reactor = await start();
		await append(requested);
		await reactor.idle();
		const [paused] = (await loadTrace(bus, traceId)).runs.keys();
		await append(createEvent('SIGNAL', {kind: 'run.retry', agentId: paused ?? '', fresh: true}));
		await reactor.idle();
		const [, again] = (await loadTrace(bus, traceId)).runs.values();
		expect(again).toMatchObject({bee: 'planner', status: 'completed', fresh: true});
	});

	test('keeps the gate closed if its bee is a guard', async () => {
		const {start, say: append, bus, clock} = rigWith({guard: 'limited'});
		const reactor = await start();
		await append(planOf(item('a')));
		await reactor.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed'});
		clock.advance(limitTime);
		await reactor.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed', _review: 'waiting_review'});
	});
});

describe('the reason why a run is not claimed', () => {
	const asked = reduceAll(requested);

	test('omits a paused guard whose task a person has completed without it', () => {
		const proposed = reduceAll(
			planOf({...item('a'), review: 'required'}),
			...announcedOf('a'),
			claimOf('r1', 'a', {workspace: 'isolated'}),
			createEvent('MUTATION', {kind: 'code.proposal', taskId: 'a', summary: 'done'}, {agentId: 'r1'}),
			finishOf('r1'),
		);
		const approval = completedOf('a', {agentId: 'human'});
		const trigger = taskOf(proposed, 'a').proposal?.sequence ?? 0;
		const paused = {...pendingRun('code.proposal', 'guard', {taskId: 'a', trigger}), until};
		const machine = machineOf({pending: [paused], now: until});
		const drops = (trace: Trace) => decideDrops(trace, machine).map(({do: what}) => what);
		expect(drops(proposed)).toEqual([]);
		expect(drops(reduceLater(proposed, approval))).toEqual(['drop']);
	});

	test('is the limit of the tool until the limit passes', () => {
		const pending = [pendingRun('feature.requested', 'planner', {asked: 3, until})];
		const before = decide(asked, colony, machineOf({pending, now: '2026-01-01T00:09:59.999Z'}));
		expect(before.steps).toEqual([]);
		expect(before.waits.runs()).toMatchObject([{reasons: [{for: 'limit', until}]}]);
		expect(decide(asked, colony, machineOf({pending, now: until})).steps).toMatchObject([
			{do: 'claim', bee: 'planner', trigger: 1, answers: 'feature.requested'},
		]);
	});

	test('omits a paused planning run once a gate has merged other work', () => {
		const run = {agentId: 'r1', bee: 'planner'};
		const merged = reduceAll(
			requested,
			createEvent('SIGNAL', {
				kind: 'energy.consume',
				amount: 1,
				reason: 'direct.dispatch',
				...run,
				trigger: 1,
			}),
			createEvent('SIGNAL', {
				kind: 'run.finished',
				...run,
				status: 'failed',
				exitCode: 1,
				pausedUntil: until,
			}),
			planOf(item('a'), {...item('_review', 'a'), review: 'final'}),
			...announcedOf('a'),
			claimOf('r2', 'a'),
			finishOf('r2'),
			completedOf('a'),
			statusOf('_review', 'waiting_review'),
			completedOf('_review', {agentId: 'human'}),
		);
		expect(statuses(merged)).toEqual({a: 'completed', _review: 'completed'});
		const pending = [pendingRun('feature.requested', 'planner', {asked: 3, until})];
		const machine = machineOf({pending, now: until});
		expect(decideDrops(merged, machine)).toEqual([]);
	});

	test('is the missing program for a bee that takes the work, not for a guard or a bee named by role', () => {
		const missingPrograms = new Map([
			['planner', 'claude'],
			['guard', 'claude'],
		]);
		const reasons = (kind: string, role: string) =>
			decide(asked, colony, machineOf({pending: [pendingRun(kind, role)], missingPrograms})).waits.runs()[0]
				?.reasons;
		expect(reasons('feature.requested', 'planner')).toEqual([
			{for: 'configuration', lack: 'program', name: 'claude'},
		]);
		expect(reasons('bee.requested', 'planner')).toEqual([]);
		expect(reasons('code.proposal.isolated', 'guard')).toEqual([]);
	});

	test('is checked again while a program is missing, because installing a program emits no event', async () => {
		const {start, say: append, bus, clock} = rigWith({});
		const missing = new Map([['planner', 'claude']]);
		const reactor = await start({missingPrograms: async () => missing});
		await append(requested);
		await reactor.idle();
		expect((await loadTrace(bus, traceId)).runs.size).toBe(0);
		missing.clear();
		clock.advance(5000);
		await reactor.idle();
		expect(runsOf(await loadTrace(bus, traceId))).toEqual(['planner completed ']);
	});
});

test('an opened gate names the guard that could not judge', async () => {
	const failing = colonyOf([builder, bee('guard', {worktree: true, subscribes: [direct(isolated)]})]);
	const {start, say: append, bus} = rigWith({guard: 'failed'}, failing);
	const reactor = await start();
	await append(planOf(item('a')));
	await reactor.idle();
	expect(taskOf(await loadTrace(bus, traceId), '_review')).toMatchObject({
		status: 'waiting_review',
		summary: 'Ready for review and merge; a: no verdict: exit code 1',
	});
});

describe('run.retry', () => {
	const direct1: Payload = {
		...{kind: 'energy.consume', amount: 1, reason: 'direct.dispatch', agentId: 'r1', bee: 'planner'},
		...{place: 'here', trigger: 1, answers: 'feature.requested'},
	};
	const ended = (status: string) =>
		createEvent('SIGNAL', {kind: 'run.finished', agentId: 'r1', bee: 'planner', status, exitCode: 1});
	const retry = (agentId: string) => createEvent('SIGNAL', {kind: 'run.retry', agentId});
	const replaced = (trace: Trace) => [...trace.runs.values()].map(run => run.replaced);

	test('replaces a failed or stopped run, but not a running or successful one', () => {
		const claim = createEvent('SIGNAL', direct1);
		expect(replaced(reduceAll(requested, claim, retry('r1')))).toEqual([false]);
		expect(replaced(reduceAll(requested, claim, ended('completed'), retry('r1')))).toEqual([false]);
		expect(replaced(reduceAll(requested, claim, ended('failed'), retry('r1')))).toEqual([true]);
		expect(replaced(reduceAll(requested, claim, ended('cancelled'), retry('r1')))).toEqual([true]);
	});

	test('changes nothing for a task run, an answered run or an unknown run', () => {
		const ofTask = reduceAll(planOf(item('a')), claimOf('r0', 'a'), retry('r0'), retry('nobody'));
		expect(replaced(ofTask)).toEqual([false]);
		const again = createEvent('SIGNAL', {...direct1, agentId: 'r2'});
		const trace = reduceAll(requested, createEvent('SIGNAL', direct1), ended('failed'), again, retry('r1'));
		expect(replaced(trace)).toEqual([false, false]);
	});
});
