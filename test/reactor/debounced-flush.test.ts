import {expect, test} from 'vitest';
import {createDebouncedFlush} from '../../source/reactor/debounced-flush.ts';
import {createManualClock} from './rig.ts';

const createScene = () => {
	const clock = createManualClock();
	const reports: string[] = [];
	let times = 0;
	let isBroken = false;
	const rest = createDebouncedFlush({
		clock,
		flush: async () => {
			times += 1;
			if (isBroken) throw new Error('full');
		},
		report: message => reports.push(message),
	});
	return {
		...rest,
		clock,
		reports,
		times: () => times,
		setBroken: (now: boolean) => {
			isBroken = now;
		},
	};
};

const passed = () => new Promise(setImmediate);

test('a flush runs after a short delay for all requests until then, and not again before a longer pause', async () => {
	const {schedule: due, clock, times, isSettled} = createScene();
	due();
	clock.advance(29);
	due();
	await passed();
	expect([times(), isSettled()]).toEqual([0, false]);
	clock.advance(1);
	await passed();
	expect([times(), isSettled()]).toEqual([1, true]);
	due();
	due();
	clock.advance(249);
	await passed();
	expect([times(), isSettled()]).toEqual([1, false]);
	clock.advance(1);
	await passed();
	expect([times(), isSettled()]).toEqual([2, true]);
});

test('a flush runs at once if a caller waits for it, and not if nothing is due', async () => {
	const {schedule: due, settled, times} = createScene();
	due();
	await settled();
	due();
	await settled();
	await settled();
	expect(times()).toBe(2);
});

test('a flush that fails is reported and repeated, and blocks no caller', async () => {
	const {schedule: due, settled, clock, times, reports, setBroken} = createScene();
	setBroken(true);
	due();
	await settled();
	expect([times(), reports.length]).toEqual([1, 1]);
	setBroken(false);
	clock.advance(1000);
	await passed();
	expect(times()).toBe(2);
});

test('a flush runs a last time when the scheduler is closed', async () => {
	const {schedule: due, close, clock, times} = createScene();
	due();
	await close();
	expect(times()).toBe(1);
	due();
	clock.advance(10_000);
	await passed();
	expect(times()).toBe(1);
});
