import {afterEach, describe, expect, test} from 'vitest';
import type {Colony} from '../../source/colony/colony.ts';
import {HiveError} from '../../source/domain/errors.ts';
import type {StoredEvent} from '../../source/domain/event.ts';
import {openRuns} from '../../source/domain/trace.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {
	addOf,
	announcedOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	statuses,
	statusOf,
	traceId,
} from '../helpers/events.ts';
import {createRig, hurried, type Rig, type Script} from './rig.ts';
import {bee, builder, colonyOf, guard, mason, planner, scout} from './scene.ts';

const colony = colonyOf([builder, mason, scout, guard]);

let rig: Rig | undefined;
const rigWith = (script: Script = {}, read: Colony = colony): Rig => {
	rig = createRig({colony: read, script});
	return rig;
};
afterEach(() => rig?.close());

/** Delivers one event at a time, each after all other work has settled. */
const slowly = async function* (
	batches: AsyncIterable<readonly StoredEvent[]>,
): AsyncGenerator<readonly StoredEvent[]> {
	for await (const events of batches) {
		for (const event of events) {
			await new Promise(resolve => setImmediate(resolve));
			yield [event];
		}
	}
};

const kind = (wanted: string) => (event: StoredEvent) => event.payload.kind === wanted;
const claimed = kind('energy.consume');
const isRunning = (event: StoredEvent) => kind('task.status')(event) && event.payload.status === 'running';
const claims = (log: readonly StoredEvent[]): StoredEvent[] => log.filter(claimed);
const requested = createEvent('SIGNAL', {kind: 'feature.requested', title: 'Do it'}, {energyBudget: 12});

describe('a reactor', () => {
	test('takes a plan from its first task to the gate', async () => {
		const {start, say: append, bus, log} = rigWith();
		const reactor = await start();
		await append(planOf(item('a'), item('b', 'a')));
		await reactor.idle();
		const trace = await loadTrace(bus, traceId);
		expect(statuses(trace)).toEqual({a: 'completed', b: 'completed', _review: 'waiting_review'});
		expect(claims(await log()).map(({payload}) => payload.bee)).toEqual([
			'builder',
			'guard',
			'builder',
			'guard',
		]);
		expect(trace.energyRemaining).toBe(8);
	});

	test('continues after another reactor, with the run that stayed alive meanwhile', async () => {
		const {start, say: append, bus, awaitEvent, begun, end, notes} = rigWith({scout: 'lives'});
		const first = await start();
		await append(planOf({...item('a'), bee: 'scout'}));
		const {payload} = await awaitEvent(claimed);
		await begun('scout');
		await first.close();
		const second = await start();
		end(String(payload.agentId));
		await second.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed'});
		expect(notes).toEqual(['begin scout', 'collect scout']);
	});

	test('begins a run that was claimed before a crash, and spends no second unit', async () => {
		const {start, say: append, bus, notes} = rigWith();
		await append(planOf({...item('a'), bee: 'scout'}), claimOf('r1', 'a', {bee: 'scout'}));
		await (await start()).idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed'});
		expect((await loadTrace(bus, traceId)).energyRemaining).toBe(11);
		expect(notes).toEqual(['begin scout', 'collect scout']);
	});

	test('runs requests that came while no reactor ran', async () => {
		const {start, say: append, log} = rigWith({}, colonyOf([builder, planner]));
		await append(requested);
		await (await start()).idle();
		expect(claims(await log())).toMatchObject([{payload: {bee: 'planner', trigger: 1}}]);
	});

	test('decides nothing at its start before it has read all requests', async () => {
		const {start, say: append, log, bus} = rigWith();
		await append(planOf({...item('a'), review: 'required'}), ...announcedOf('a'), claimOf('r1', 'a'));
		await append(proposalOf('r1', 'a'), finishOf('r1'));
		const reactor = await start({bus: {...bus, read: options => slowly(bus.read(options))}});
		await reactor.idle();
		const steps = (await log()).filter(event => claimed(event) || event.payload.status === 'waiting_review');
		expect(steps.map(({payload}) => payload.bee ?? payload.status)).toEqual([
			'builder',
			'guard',
			'waiting_review',
		]);
	});

	test('does not apply a new rule to events that were considered before the rule existed', async () => {
		const {start, say: append, log} = rigWith();
		const before = await start({colony: colonyOf([builder])});
		await append(requested);
		await before.idle();
		await before.close();
		const after = await start({colony: colonyOf([builder, planner])});
		await after.idle();
		expect(claims(await log())).toEqual([]);
		await append(requested);
		await after.idle();
		expect(claims(await log())).toMatchObject([{payload: {bee: 'planner', trigger: 2}}]);
	});

	test('works only on the trace that it is given', async () => {
		const {start, say: append, log} = rigWith();
		await append({...planOf(item('a')), traceId: 'other'}, planOf({...item('a'), bee: 'scout'}));
		await (await start({only: traceId})).idle();
		expect(new Set(claims(await log()).map(event => event.traceId))).toEqual(new Set([traceId]));
	});

	test('is idle only if no run is open', async () => {
		const {start, say: append, awaitEvent, begun, end} = rigWith({scout: 'lives'});
		const reactor = await start();
		await append(planOf({...item('a'), bee: 'scout'}));
		const {payload} = await awaitEvent(claimed);
		const order: string[] = [];
		const idle = reactor.idle().then(() => order.push('idle'));
		await begun('scout');
		expect(reactor.isIdle()).toBe(false);
		order.push('end');
		end(String(payload.agentId));
		await idle;
		expect(order).toEqual(['end', 'idle']);
		expect(reactor.isIdle()).toBe(true);
	});

	test('is idle during a session, but not while the session begins', async () => {
		const {start, say: append, awaitEvent, begun} = rigWith({scout: 'lives'});
		let begin = (): void => {};
		const isDue = new Promise<void>(resolve => {
			begin = resolve;
		});
		const reactor = await start({beforeBegin: () => isDue});
		await append({...createEvent('SIGNAL', {kind: 'session.requested', bee: 'scout'}), energyBudget: 1});
		await awaitEvent(claimed);
		const order: string[] = [];
		const idle = reactor.idle().then(() => order.push('idle'));
		for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		order.push('begin');
		begin();
		await begun('scout');
		await idle;
		expect(order).toEqual(['begin', 'idle']);
	});

	test('is not idle once it is closed, because the remaining work is unknown', async () => {
		const {start, say: append} = rigWith();
		const reactor = await start();
		await append(planOf(item('a')));
		await reactor.idle();
		await reactor.close();
		expect(reactor.isIdle()).toBe(false);
	});

	test('stops a run whose trace was killed while the run was beginning', async () => {
		const {start, say: append, awaitEvent, notes} = rigWith({scout: 'lives'});
		let begin = (): void => {};
		const isDue = new Promise<void>(resolve => {
			begin = resolve;
		});
		const reactor = await start({beforeBegin: () => isDue});
		await append(planOf({...item('a'), bee: 'scout'}));
		await awaitEvent(isRunning);
		await append(killOf('enough'));
		for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		expect(notes).toEqual([]);
		begin();
		await reactor.idle();
		expect(notes).toEqual(['begin scout', 'stop scout', 'collect scout']);
	});

	test('stops the run of a killed trace and closes the run', async () => {
		const {start, say: append, awaitEvent, bus, notes} = rigWith({scout: 'lives'});
		const reactor = await start();
		await append(planOf({...item('a'), bee: 'scout'}, item('b', 'a')));
		await awaitEvent(isRunning);
		await append(killOf('enough'));
		await reactor.idle();
		const trace = await loadTrace(bus, traceId);
		expect(statuses(trace)).toEqual({a: 'cancelled', b: 'cancelled'});
		expect([...trace.runs.values()]).toMatchObject([{status: 'cancelled', summary: 'enough'}]);
		expect(notes).toEqual(['begin scout', 'stop scout', 'collect scout']);
	});
});

describe('the timeout of a run', () => {
	const slow = colonyOf([bee('scout', {timeout: 60_000})]);
	const plan = planOf({...item('a'), bee: 'scout'});

	test('limits how long the run takes', async () => {
		const {start, say: append, begun, bus, clock, notes} = rigWith({scout: 'lives'}, slow);
		const reactor = await start();
		await append(plan);
		await begun('scout');
		clock.advance(59_999);
		expect(notes).toEqual(['begin scout']);
		clock.advance(1);
		await reactor.idle();
		const trace = await loadTrace(bus, traceId);
		expect(trace.tasks.get('a')).toMatchObject({status: 'failed', summary: 'timed out'});
		expect(notes).toEqual(['begin scout', 'stop scout', 'collect scout']);
	});

	test.each([
		['however long ago it was claimed', 0],
		['though the wall clock was put on meanwhile', 3_600_000],
		['though the wall clock was put back meanwhile', -3_600_000],
	])('counts from the start of the run, %s', async (_, jump) => {
		const {start, say: append, begun, clock, notes} = rigWith({scout: 'lives'}, slow);
		await append(plan, claimOf('r1', 'a', {bee: 'scout'}));
		clock.advance(3_600_000);
		const first = await start();
		await begun('scout');
		clock.advance(40_000);
		await first.close();
		clock.set(jump);
		const second = await start();
		clock.advance(10_000);
		expect(notes).toEqual(['begin scout']);
		clock.advance(10_000);
		await second.idle();
		expect(notes).toEqual(['begin scout', 'stop scout', 'collect scout']);
	});
});

test('a merge that starts during a decision about its trace is checked too', async () => {
	const {start, say: append, bus, begun} = rigWith({scout: 'lives'});
	await append(
		planOf({...item('last'), review: 'final'}, {...item('a'), bee: 'scout'}),
		statusOf('last', 'waiting_review'),
	);
	let hasBegun = false;
	const looks: string[] = [];
	const reactor = await start({
		bus: {
			...bus,
			appendAll: async (...call) => {
				// Both events are folded before the turn goes on.
				const appended = bus.appendAll(...call);
				if (!hasBegun)
					await append(
						createEvent('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'}),
					);
				hasBegun = true;
				return appended;
			},
		},
		finishMerge: async id => {
			looks.push(id);
			return false;
		},
	});
	await begun('scout');
	expect(looks).toContain(traceId);
	await reactor.close();
});

test('an open merge is checked at intervals, however many events come meanwhile', async () => {
	const {start, say: append, clock} = rigWith({});
	await append(
		planOf({...item('last'), review: 'final'}),
		statusOf('last', 'waiting_review'),
		createEvent('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'}),
	);
	let looks = 0;
	const reactor = await start({
		finishMerge: async () => {
			looks += 1;
			return false;
		},
	});
	const pass = async (): Promise<void> => {
		clock.advance(500);
		await reactor.idle();
	};
	for (let added = 0; added < 3; added++) {
		await append(addOf(1));
		await pass();
	}
	const before = looks;
	for (let passed = 0; passed < 4; passed++) await pass();
	expect(looks).toBe(before + 1);
});

describe('a queue of traces that wait for a slot', () => {
	const one = colonyOf([scout, planner], {maxParallelRuns: 1});

	test('serves the trace that has waited longest', async () => {
		const {start, say: append, log, notes, end} = rigWith({scout: 'lives'}, one);
		const reactor = await start();
		for (const trace of ['one', 'two', 'three'])
			await append({
				...planOf({...item('a'), bee: 'scout'}, {...item('b'), bee: 'scout'}),
				traceId: trace,
			});
		for (let begun = 1; begun <= 6; begun++) {
			while (notes.filter(note => note === 'begin scout').length < begun) await new Promise(setImmediate);
			end(String(claims(await log()).at(-1)?.payload.agentId));
		}
		await reactor.idle();
		const order = claims(await log()).map(event => event.traceId);
		expect(order).toEqual(['one', 'two', 'three', 'one', 'two', 'three']);
	});

	test('keeps a slot that becomes free during a decision for the trace that is decided on', async () => {
		const {start, say: append, bus, awaitEvent, end, log} = rigWith({scout: 'lives'}, one);
		let letFinish = (): void => {};
		let isFinishing = (): void => {};
		const mayFinish = new Promise<void>(resolve => {
			letFinish = resolve;
		});
		const finishing = new Promise<void>(resolve => {
			isFinishing = resolve;
		});
		const held: Bus = {
			...bus,
			append: async (event, how) => {
				if (event.payload.kind === 'run.finished' && event.payload.bee === 'scout') {
					isFinishing();
					await mayFinish;
				}
				return bus.append(event, how);
			},
		};
		let looks = 0;
		let look = async (): Promise<void> => {};
		// A run without recorded trees makes the reactor run git for its trace.
		const unknown = claimOf('u1', 'b', {trigger: 1, workspace: 'isolated'});
		await append({...unknown, energyBudget: 12}, finishOf('u1'));
		const reactor = await start({
			bus: held,
			branchDiffers: async () => {
				looks += 1;
				await look();
				return false;
			},
		});
		await append({...planOf({...item('a'), bee: 'scout'}), traceId: 'holder'});
		const {payload} = await awaitEvent(event => claimed(event) && event.payload.bee === 'scout');
		await awaitEvent(isRunning);
		await append(planOf({...item('b'), bee: 'scout'}), completedOf('b'));
		while (looks === 0) await new Promise(setImmediate);
		end(String(payload.agentId));
		await finishing;
		look = async () => {
			letFinish();
			while (openRuns(reactor.ledger.snapshot('holder')).length > 0) await new Promise(setImmediate);
		};
		await append(requested);
		await reactor.idle();
		expect(claims(await log()).map(event => event.payload.bee)).toEqual(['builder', 'scout', 'planner']);
	});
});

describe('two reactors on one log', () => {
	const many = Array.from({length: 6}, (_, index) => ({...item(`t${index}`, 'first'), bee: 'scout'}));
	const plan = planOf({...item('first'), bee: 'scout'}, ...many);

	test.each([
		['of one checkout', 'here', 'here'],
		['of two checkouts', 'here', 'there'],
	])('%s start no run twice', async (_, one, other) => {
		const {start, say: append, log, bus} = rigWith();
		const reactors = [await start({checkout: one}), await start({checkout: other})];
		await append(plan);
		for (const reactor of reactors) await reactor.idle();
		const trace = await loadTrace(bus, traceId);
		expect([...trace.tasks.values()].every(({status}) => status === 'completed')).toBe(true);
		const started = claims(await log());
		expect(started.map(({payload}) => payload.taskId).toSorted()).toEqual([...trace.tasks.keys()].toSorted());
		expect(new Set(started.map(({payload}) => payload.place)).size).toBe(1);
		expect(trace.energyRemaining).toBe(12 - 7);
	});
});

describe('an action that a reactor repeats no second time', () => {
	test('collects a run that ended', async () => {
		const {start, say: append, notes, log} = rigWith({scout: 'failed'});
		const reactor = await start();
		await append(planOf(...['a', 'b', 'c'].map(id => ({...item(id), bee: 'scout'}))));
		await reactor.idle();
		expect(notes.filter(note => note === 'collect scout')).toHaveLength(3);
		expect((await log()).filter(kind('run.finished'))).toHaveLength(3);
	});

	test('begins a run, also while its supervisor has not appeared yet', async () => {
		const {start, say: append, awaitEvent, processes, notes, end} = rigWith({scout: 'lives'});
		let shown = false;
		const reactor = await start({
			processes: {
				...processes,
				inspect: async runDir => (shown ? processes.inspect(runDir) : {state: 'unbegun'}),
			},
		});
		await append(planOf({...item('a'), bee: 'scout'}));
		const {payload} = await awaitEvent(isRunning);
		await append(createEvent('INSIGHT', {kind: 'context.note', summary: 'go on'}));
		await awaitEvent(kind('context.note'));
		shown = true;
		end(String(payload.agentId));
		await reactor.idle();
		expect(notes).toEqual(['begin scout', 'collect scout']);
	});
});

describe('a bus that sometimes fails', () => {
	const unreachable = () => new HiveError('bus_unreachable', {message: 'gone for a moment'});

	test.each([
		['before', 3],
		['before', 5],
		['after', 3],
		['after', 5],
	])(
		'%s an append took effect, every %i calls, delays the work but repeats none of it',
		async (when, nth) => {
			const {start, say: append, clock, bus, log} = rigWith();
			let count = 0;
			const failing = async <Result>(append: () => Promise<Result>): Promise<Result> => {
				count += 1;
				const fails = count % nth === 0;
				if (fails && when === 'before') throw unreachable();
				const appended = await append();
				if (fails) throw unreachable();
				return appended;
			};
			const flaky: Bus = {
				...bus,
				append: (...call) => failing(() => bus.append(...call)),
				appendAll: (...call) => failing(() => bus.appendAll(...call)),
			};
			const reactor = await start({bus: flaky, clock: hurried(clock)});
			await append(planOf({...item('a'), bee: 'scout'}, {...item('b', 'a'), bee: 'mason'}));
			await reactor.idle();
			expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed', b: 'completed'});
			expect(claims(await log()).map(({payload}) => payload.taskId)).toEqual(['a', 'b']);
		},
	);

	test('with append conflicts makes the loser read the log again', async () => {
		const {start, say: append, bus, log} = rigWith();
		let notes = 0;
		const contended: Bus = {
			...bus,
			appendAll: async (events, after) => {
				if (after !== undefined && ++notes % 2 === 1)
					await append(createEvent('INSIGHT', {kind: 'context.note', summary: 'me first'}));
				return bus.appendAll(events, after);
			},
		};
		const reactor = await start({bus: contended});
		await append(planOf({...item('a'), bee: 'scout'}));
		await reactor.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed'});
		expect(claims(await log())).toHaveLength(1);
	});

	test('that then cannot be followed ends the reactor, which reports nothing more', async () => {
		const {start, say: append, bus, log} = rigWith();
		let appends = 0;
		const cut: Bus = {
			...bus,
			appendAll: async (events, after) => {
				appends += 1;
				if (appends > 20) throw unreachable();
				return bus.appendAll(events, after);
			},
			follow: async function* (options) {
				for await (const events of bus.follow(options)) {
					if (events.some(kind('task.ready'))) throw unreachable();
					yield events;
				}
			},
		};
		const reactor = await start({bus: cut});
		await append(planOf({...item('a'), bee: 'scout'}));
		await expect(reactor.over).rejects.toThrow('gone for a moment');
		await reactor.close();
		expect((await log()).map(({payload}) => payload.kind)).toEqual([
			'task.plan',
			'task.ready',
			'task.status',
			'energy.consume',
			'task.status',
		]);
		expect(appends).toBe(1);
	});

	test('during a shutdown does not keep the reactor from reporting that it is idle', async () => {
		const {start, say: append, clock, bus} = rigWith();
		let asked = 0;
		const deaf: Bus = {
			...bus,
			last: async () => {
				asked += 1;
				if (asked === 1) throw unreachable();
				return bus.last();
			},
		};
		await append(planOf({...item('a'), bee: 'scout'}));
		const reactor = await start({bus: deaf, clock: hurried(clock)});
		await reactor.idle();
		expect(statuses(await loadTrace(bus, traceId))).toEqual({a: 'completed'});
	});
});
