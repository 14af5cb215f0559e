import {expect, test} from 'vitest';
import type {StoredEvent} from '../../source/domain/event.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {ensureCursor, readDeferred} from '../../source/ledger/cursors.ts';
import {maxInvites} from '../../source/ledger/invites.ts';
import {readTakeOvers, takingsOf} from '../../source/reactor/machines/take-over.ts';
import {isStillPending, loadPending} from '../../source/reactor/pending.ts';
import {createManualClock} from './rig.ts';
import {pendingInvite, pendingRun} from './scene.ts';

test('a run that is requested again stays pending after its first request is dropped', async () => {
	const pending = await loadPending(createMemoryBus({clock: createManualClock()}), 'here');
	const first = pendingRun('code.proposal.isolated', 'guard', {trigger: 3});
	const repeat = {...first, asked: 9};
	pending.consider('t', 3, {runs: [first], invite: undefined});
	pending.consider('t', 9, {runs: [repeat], invite: undefined});
	expect(pending.of('t')).toEqual([repeat]);
	pending.drop('t', first);
	expect(pending.of('t')).toEqual([repeat]);
	pending.consider('t', 3, {runs: [first], invite: undefined});
	expect(pending.of('t')).toEqual([repeat]);
	pending.drop('t', repeat);
	expect(pending.of('t')).toEqual([]);
});

test('requested invites survive a restart, are requested once, and stay within their maximum', async () => {
	const bus = createMemoryBus({clock: createManualClock()});
	const pending = await loadPending(bus, 'here');
	const ask = (number: number) =>
		pending.consider('t', number, {runs: [], invite: pendingInvite(`inv-${number}`)});
	ask(3);
	ask(3);
	await pending.save(pending.cursor());
	const again = await loadPending(bus, 'here');
	expect(again.invitesOf('t')).toEqual([pendingInvite('inv-3')]);
	expect([again.traces(), again.considered()]).toEqual([['t'], 3]);
	again.dropInvite('t', 'inv-3');
	expect(again.traces()).toEqual([]);
	for (let number = 1; number <= maxInvites + 5; number++) ask(number);
	expect(pending.invitesOf('t')).toHaveLength(maxInvites);
});

test('checkouts with a shared log have one cursor each, and a new one starts at the furthest with all deferred events', async () => {
	const bus = {...createMemoryBus({clock: createManualClock()}), isShared: true};
	const run = pendingRun('code.proposal.isolated', 'guard', {trigger: 3});
	const one = await loadPending(bus, 'one');
	one.consider('t', 3, {runs: [run], invite: undefined});
	await one.save(one.cursor());
	const other = await loadPending(bus, 'other');
	expect([other.considered(), other.of('t')]).toEqual([3, [run]]);
	other.drop('t', run);
	await other.save(other.cursor());
	expect((await loadPending(bus, 'one')).of('t')).toEqual([run]);
	expect((await loadPending(bus, 'other')).traces()).toEqual([]);
});

test('a request in a trace of another checkout is left to that checkout if the log is shared', async () => {
	const bus = createMemoryBus({clock: createManualClock()});
	const alone = await loadPending(bus, 'here');
	const shared = await loadPending({...bus, isShared: true}, 'here');
	const places = [undefined, 'here', 'elsewhere'].map(place => (place === undefined ? {} : {place}));
	expect(places.map(alone.concerns)).toEqual([true, true, true]);
	expect(places.map(shared.concerns)).toEqual([true, true, false]);
	shared.consider('t', 3, {runs: [pendingRun('x', 'guard', {trigger: 3})], invite: pendingInvite('inv')});
	shared.leave('t');
	expect(shared.traces()).toEqual([]);
});

test('a checkout that takes a trace gets the deferred events and the unread events of its last owner', async () => {
	const bus = {...createMemoryBus({clock: createManualClock()}), isShared: true};
	const run = pendingRun('code.proposal.isolated', 'guard', {trigger: 3});
	const gone = await loadPending(bus, 'gone');
	gone.consider('t', 3, {runs: [run], invite: pendingInvite('inv')});
	await gone.save(gone.cursor());
	const putOff = await readDeferred(bus, 'gone', 't');
	expect(putOff).toEqual({considered: 3, runs: [run], invites: [pendingInvite('inv')]});
	// A reactor that returns to that checkout has released the trace.
	gone.leave('t');
	await gone.save(gone.cursor());
	for (let index = 1; index < 5; index++)
		await bus.append({traceId: 't', type: 'SIGNAL', payload: {kind: 'noise'}}, {id: String(index)});
	const taken = {kind: 'trace.taken', place: 'mine', from: 'gone', putOff};
	await bus.append({traceId: 't', type: 'SIGNAL', payload: taken}, {id: 'taken'});
	const events: StoredEvent[] = [];
	for await (const batch of bus.read({after: 0})) events.push(...batch);
	const [adoptions] = (await readTakeOvers(bus, takingsOf('mine', events))).values();
	expect(adoptions).toMatchObject([{traceId: 't', deferred: putOff, missed: [{sequence: 4}]}]);
	expect(takingsOf('another', events)).toEqual([]);
	const mine = await loadPending(bus, 'mine');
	mine.consider('other', 9, {runs: [], invite: undefined});
	for (const _ of 'twice') mine.takeOver('t', {...putOff, runs: [run], invites: [pendingInvite('inv')]});
	mine.consider('t', 0, {runs: [], invite: undefined});
	expect([mine.of('t'), mine.invitesOf('t'), mine.considered()]).toEqual([[run], [pendingInvite('inv')], 9]);
});

test('a checkout that takes a trace before its first reactor starts reads every later event', async () => {
	const bus = {...createMemoryBus({clock: createManualClock()}), isShared: true};
	const one = await loadPending(bus, 'one');
	one.consider('t', 3, {runs: [], invite: undefined});
	await one.save(one.cursor());
	await ensureCursor(bus, 'new');
	one.consider('t', 8, {runs: [], invite: undefined});
	await one.save(one.cursor());
	await ensureCursor(bus, 'new');
	expect((await loadPending(bus, 'new')).considered()).toBe(3);
});

test('a request stays answerable while a checkout that could answer it has not read it or has deferred it', async () => {
	const bus = {...createMemoryBus({clock: createManualClock()}), isShared: true};
	const request = {traceId: 't', sequence: 5};
	expect(await isStillPending(bus, request, ['one'])).toBe(true);
	const one = await loadPending(bus, 'one');
	one.consider('t', 4, {runs: [], invite: undefined});
	await one.save(one.cursor());
	expect(await isStillPending(bus, request, ['one'])).toBe(true);
	one.consider('t', 5, {runs: [], invite: undefined});
	await one.save(one.cursor());
	expect(await isStillPending(bus, request, ['one'])).toBe(false);
	const behind = await loadPending(bus, 'behind');
	behind.consider('t', 5, {runs: [pendingRun('bee.requested', 'guard', {trigger: 5})], invite: undefined});
	await behind.save(behind.cursor());
	expect(await isStillPending(bus, request, ['one', 'behind'])).toBe(true);
	expect(await isStillPending(bus, request, ['one'])).toBe(false);
});
