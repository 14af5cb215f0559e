import {describe, expect, it} from 'vitest';
import {createOwnProcess, whyEnded} from '../../source/host/own-process.ts';
import type {ChildEnd} from '../../source/ports/child.ts';
import type {Clock} from '../../source/ports/clock.ts';

const broken: ChildEnd = {exitCode: 5, stderr: 'hive: alpha.yaml: "binary" is not a text.\n'};

/** A reactor whose processes the test ends, with a clock that the test moves. */
const createRig = (isStartable: () => boolean = () => true) => {
	let now = 0;
	let due: {readonly at: number; readonly call: () => void} | undefined;
	let live: ((end: ChildEnd) => void) | undefined;
	const pauses: number[] = [];
	const reports: string[] = [];
	let starts = 0;
	const clock: Clock = {
		now: () => now,
		elapsed: () => now,
		after: (milliseconds, call) => {
			pauses.push(milliseconds);
			due = {at: now + milliseconds, call};
			return () => {
				due = undefined;
			};
		},
	};
	const reactor = createOwnProcess({
		name: 'reactor',
		clock,
		report: reason => reports.push(reason),
		spawn: async () => {
			starts += 1;
			if (!isStartable()) throw new Error('too many open files');
			const ended = new Promise<ChildEnd>(resolve => {
				live = resolve;
			});
			return {
				pid: starts,
				ended,
				end: async () => {
					live?.({exitCode: 0, stderr: ''});
					await ended;
				},
			};
		},
	});
	const turn = () => new Promise(setImmediate);
	const end = async (how: ChildEnd): Promise<void> => {
		live?.(how);
		await turn();
	};
	const goOn = async (): Promise<void> => {
		const next = due;
		due = undefined;
		now = next?.at ?? now;
		next?.call();
		await turn();
	};
	return {
		reactor,
		/** Ends the live process. */
		end,
		/** Ends the pause before the next start. */
		goOn,
		endAndGoOn: async (how: ChildEnd) => {
			await end(how);
			await goOn();
		},
		pauses,
		reports,
		starts: () => starts,
		isWaiting: () => due !== undefined,
		pass: (milliseconds: number) => {
			now += milliseconds;
		},
		turn,
	};
};

describe('the reactor of a dashboard', () => {
	it('is restarted when it ends, after growing pauses up to a maximum', async () => {
		const rig = createRig();
		await rig.reactor.start();
		for (let times = 0; times < 7; times++) await rig.endAndGoOn(broken);
		expect(rig.pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
		expect(rig.reactor.pid()).toBe(8);
	});

	it('is restarted after a short pause when it has run for a while', async () => {
		const rig = createRig();
		await rig.reactor.start();
		for (let times = 0; times < 3; times++) await rig.endAndGoOn(broken);
		rig.pass(60_000);
		await rig.end(broken);
		expect(rig.pauses).toEqual([1000, 2000, 4000, 1000]);
	});

	it('has the reason of its end reported, once for the same reason', async () => {
		const rig = createRig();
		await rig.reactor.start();
		for (const end of [broken, broken, {signal: 'SIGKILL', stderr: ''}]) await rig.endAndGoOn(end);
		expect(rig.reports).toEqual([
			'The reactor ended and is started again. alpha.yaml: "binary" is not a text.',
			'The reactor was ended by SIGKILL; it is started again.',
		]);
	});

	it('is started again later when it cannot be started', async () => {
		let isStartable = false;
		const rig = createRig(() => isStartable);
		await rig.reactor.start();
		expect(rig.reports).toEqual([expect.stringContaining('too many open files')]);
		isStartable = true;
		await rig.goOn();
		expect(rig.reactor.pid()).toBe(2);
	});

	it('is not restarted after a stop, even during a pause, and reports nothing', async () => {
		const rig = createRig();
		await rig.reactor.start();
		await rig.reactor.stop();
		await rig.turn();
		expect([rig.starts(), rig.isWaiting(), rig.reports]).toEqual([1, false, []]);
		await rig.reactor.start();
		await rig.end({exitCode: 143, stderr: ''});
		expect(rig.isWaiting()).toBe(true);
		await rig.reactor.stop();
		expect([rig.starts(), rig.isWaiting(), rig.reports]).toEqual([2, false, []]);
	});
});

describe("the starting state of a dashboard's reactor", () => {
	it('lasts from the start request until it ends, for at most half a minute', async () => {
		const rig = createRig();
		expect(rig.reactor.isStarting()).toBe(false);
		let begin = (): void => {};
		const started = rig.reactor.start(
			new Promise<void>(resolve => {
				begin = resolve;
			}),
		);
		expect([rig.reactor.isStarting(), rig.starts()]).toEqual([true, 0]);
		begin();
		await started;
		expect([rig.reactor.isStarting(), rig.starts()]).toEqual([true, 1]);
		await rig.endAndGoOn(broken);
		expect([rig.reactor.isStarting(), rig.starts()]).toEqual([false, 2]);
		await rig.reactor.stop();
		await rig.reactor.start();
		rig.pass(30_000);
		expect(rig.reactor.isStarting()).toBe(false);
	});

	it('ends when no process can be created', async () => {
		const rig = createRig(() => false);
		await rig.reactor.start();
		expect(rig.reactor.isStarting()).toBe(false);
	});
});

describe("the reported reason of a reactor's end", () => {
	it.each([
		[
			'is not said where it was asked to',
			{exitCode: 143, stderr: 'hive: The reactor runs here.\n'},
			undefined,
		],
		[
			'is its refusal, not the hint below',
			{exitCode: 5, stderr: 'hive: following it\nhive: It is broken.\n  a.yaml 1\nMend it.\n'},
			'The reactor ended and is started again. It is broken.',
		],
		[
			'is its fault, not the stack below',
			{exitCode: 1, stderr: 'hive: here\nx.cjs:1\nTypeError: no such thing\n    at x\n\nNode.js v20\n'},
			'The reactor ended and is started again. TypeError: no such thing',
		],
		[
			'is not what it said of the configuration at its start',
			{
				exitCode: 5,
				stderr: 'hive: a.yaml: wrong. Mend it.\nhive: The reactor runs here.\nhive: It is broken.\n',
			},
			'The reactor ended and is started again. It is broken.',
		],
		[
			'is what kept it from being started',
			{stderr: 'spawn node ENOENT'},
			'The reactor ended and is started again. spawn node ENOENT',
		],
	])('%s', (_, end, words) => {
		expect(whyEnded('reactor', end)).toBe(words);
	});
});
