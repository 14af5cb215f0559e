import {describe, expect, it} from 'vitest';
import {decodeHeartbeat, type MachineStatus} from '../../source/domain/machine-status.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {
	announceMachine,
	awaitMachineGone,
	readHeartbeats,
	readKnownMachines,
	watchMachines,
} from '../../source/ledger/heartbeats.ts';
import {createManualClock} from '../reactor/rig.ts';

const settle = () => new Promise(setImmediate);

const createScene = () => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	const reports: string[] = [];
	const ports = {bus, clock, report: (message: string) => reports.push(message)};
	const place = (checkout: string, more: Partial<MachineStatus> = {}): MachineStatus => ({
		...{checkout, host: 'box', root: `/home/${checkout}`, pid: 1, startedAt: 'then', free: 4, total: 4},
		...more,
	});
	const heard = async () => (await readHeartbeats(bus)).map(({checkout, heardAt}) => [checkout, heardAt]);
	return {clock, bus, ports, place, reports, heard};
};

describe('the heartbeats of a place', () => {
	it('are written at once and every two seconds, and the last one says that the place has left', async () => {
		const {clock, bus, ports, place, heard} = createScene();
		const announcement = announceMachine(ports, () => place('a'));
		await settle();
		expect(await heard()).toEqual([['a', '2026-01-01T00:00:00.000Z']]);
		clock.advance(2000);
		await settle();
		expect(await heard()).toEqual([['a', '2026-01-01T00:00:02.000Z']]);
		await announcement.leave();
		clock.advance(60_000);
		await settle();
		expect(await readHeartbeats(bus)).toMatchObject([
			{checkout: 'a', hasLeft: true, heardAt: '2026-01-01T00:00:02.000Z'},
		]);
	});

	it.each([
		['main', true],
		['feature/größe', true],
		['fix#12', true],
		['user@host', true],
		['../../../etc', false],
		['/etc', false],
		['.hidden', false],
		['a/.b', false],
		['-x', false],
		['a b', false],
		['a\u001b[2J', false],
		['a.lock', false],
		['x'.repeat(201), false],
	])('have the branch %j if git allows that name, and otherwise the machine without it', (branch, isKept) => {
		const base = {branch, commit: 'a'.repeat(40)};
		const beat = {...createScene().place('a'), heardAt: 'then', hasLeft: false, base};
		const decoded = decodeHeartbeat(JSON.stringify(beat));
		expect(decoded?.checkout).toBe('a');
		expect(decoded?.base).toEqual(isKept ? base : undefined);
	});

	it('leave out a base that is not one', () => {
		const beat = {...createScene().place('a'), heardAt: 'then', hasLeft: false};
		for (const base of [null, 'main', {branch: 'main', commit: '--output=x'}, {branch: 1, commit: 2}])
			expect(decodeHeartbeat(JSON.stringify({...beat, base}))).toMatchObject({checkout: 'a'});
	});

	it('follow a change soon, combine changes in quick succession, and are omitted without a change', async () => {
		const {clock, bus, ports, place} = createScene();
		let free = 4;
		const announcement = announceMachine(ports, () => place('a', {free}));
		await settle();
		announcement.changed();
		clock.advance(100);
		await settle();
		const [first] = await bus.bucket('places').entries();
		for (free = 3; free > 1; free--) announcement.changed();
		clock.advance(100);
		await settle();
		const [second] = await bus.bucket('places').entries();
		expect(await readHeartbeats(bus)).toMatchObject([{free: 1}]);
		expect(second?.revision).toBe((first?.revision ?? 0) + 1);
		await announcement.leave();
	});

	it("are watched on the watcher's own clock, and a place that has left is dead", async () => {
		const {clock, ports, place} = createScene();
		const over = new AbortController();
		const seen = watchMachines(ports, over.signal);
		const announcement = announceMachine(ports, () => place('a'));
		await settle();
		const alive = () => seen().map(({checkout, isAlive}) => [checkout, isAlive]);
		expect(alive()).toEqual([['a', true]]);
		// A change of the wall clock makes no place appear dead.
		clock.set(3_600_000);
		expect(alive()).toEqual([['a', true]]);
		for (let beat = 0; beat < 6; beat++) {
			clock.advance(2000);
			await settle();
		}
		expect(alive()).toEqual([['a', true]]);
		await announcement.leave();
		await settle();
		expect(alive()).toEqual([['a', false]]);
		over.abort();
	});

	it('that stop for ten seconds make a place dead, though it has not left', async () => {
		const {clock, bus, ports, place} = createScene();
		await bus.bucket('places').create('a', JSON.stringify({...place('a'), heardAt: 'now', hasLeft: false}));
		const over = new AbortController();
		const seen = watchMachines(ports, over.signal);
		await settle();
		expect(seen()).toMatchObject([{isAlive: true}]);
		clock.advance(10_000);
		expect(seen()).toMatchObject([{isAlive: false}]);
		over.abort();
	});

	it('are as old as the store says at the first look, whatever the clocks of the machines show', async () => {
		const {clock, bus, ports, place} = createScene();
		const beat = {...place('a'), heardAt: '2030-01-01T00:00:00.000Z', hasLeft: false};
		await bus.bucket('places').create('a', JSON.stringify(beat));
		clock.set(-3_600_000);
		clock.advance(4000);
		expect(await readKnownMachines(ports)).toMatchObject([{isAlive: true, silentMs: 4000}]);
		clock.advance(6000);
		expect(await readKnownMachines(ports)).toMatchObject([{isAlive: false, silentMs: 10_000}]);
		const over = new AbortController();
		const seen = watchMachines(ports, over.signal);
		await settle();
		expect(seen()).toMatchObject([{isAlive: false, silentMs: 10_000}]);
		over.abort();
	});

	it('detect another process with the same checkout, but not an earlier process of this one', async () => {
		const {clock, bus, ports, place, reports} = createScene();
		const beat = (startedAt: string, pid: number) =>
			JSON.stringify({...place('a', {startedAt, pid}), heardAt: 'now', hasLeft: false});
		const earlier = (await bus.bucket('places').create('a', beat('before', 7))) ?? Number.NaN;
		const announcement = announceMachine(ports, () => place('a'));
		await settle();
		expect(reports).toEqual([]);
		const [present] = await bus.bucket('places').entries();
		expect(present?.revision).toBeGreaterThan(earlier);
		await bus.bucket('places').update('a', beat('elsewhere', 9), present?.revision ?? Number.NaN);
		clock.advance(2000);
		await settle();
		expect(reports).toEqual([expect.stringContaining('box:/home/a (pid 9) claims to be this checkout')]);
		await announcement.leave();
	});

	it('ignore malformed entries of other writers', async () => {
		const {bus} = createScene();
		for (const text of ['', '[]', 'null', '{"checkout": 1}', '{"checkout": "a", "free": "many"}'])
			await bus.bucket('places').create(`key-${text.length}`, text);
		expect(await readHeartbeats(bus)).toEqual([]);
	});

	it('show a take-over that a place is gone if it left, never wrote, or is silent for ten seconds', async () => {
		const {clock, bus, ports, place} = createScene();
		expect(await awaitMachineGone(ports, 'nobody')).toEqual({revision: undefined, hasLeft: true});
		const announcement = announceMachine(ports, () => place('a'));
		await settle();
		const alive = awaitMachineGone(ports, 'a');
		await settle();
		clock.advance(2000);
		await settle();
		clock.advance(8000);
		expect(await alive).toBeUndefined();
		await announcement.leave();
		expect(await awaitMachineGone(ports, 'a')).toMatchObject({hasLeft: true});
		const beat = {...place('b'), heardAt: '2030-01-01T00:00:00.000Z', hasLeft: false};
		const revision = await bus.bucket('places').create('b', JSON.stringify(beat));
		const silent = awaitMachineGone(ports, 'b');
		await settle();
		clock.advance(10_000);
		expect(await silent).toEqual({revision, hasLeft: false});
	});
});
