import {describe, expect, it, onTestFinished, vi} from 'vitest';
import type {StoredEvent} from '../../source/domain/event.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {addSpent, followSpent, readSpentToday} from '../../source/host/live/spent-today.ts';
import type {Spent} from '../../source/host/views/today.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import {buildEvent} from '../dashboard/build-trace.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';

const noon = new Date(2026, 2, 1, 12).getTime();
const hour = 3_600_000;

/** Returns a log of runs that each ended the given hours before noon, at the given cost. */
const logOf = async (...ends: readonly (readonly [hoursAgo: number, costUsd: number])[]) => {
	let now = noon;
	const clock: Clock = {now: () => now, elapsed: () => now, after: () => () => {}};
	const memory = createMemoryBus({clock});
	for (const [index, [hoursAgo, costUsd]] of ends.entries()) {
		now = noon - hoursAgo * hour;
		await memory.append(
			{traceId: `t${index % 7}`, type: 'SIGNAL', payload: {kind: 'run.finished', usage: {costUsd}}},
			{id: `e${index}`},
		);
	}
	now = noon;
	let read = 0;
	const bus: Bus = {
		...memory,
		read: async function* (options) {
			for await (const events of memory.read(options)) {
				read += events.length;
				yield events;
			}
		},
	};
	return {bus, clock, read: () => read};
};

const ended = (hoursAgo: number, costUsd: number): StoredEvent => ({
	...buildEvent('old', 'SIGNAL', 'run.finished', {usage: {costUsd}}),
	at: new Date(noon - hoursAgo * hour).toISOString(),
});

describe('the amount spent today', () => {
	it("counts runs that ended today in the person's time zone, whatever became of their traces", async () => {
		const {bus} = await logOf([30, 90], [13, 9], [11.5, 0.5], [1, 0.25]);
		const spent = await readSpentToday(bus, await bus.last(), noon);
		expect(spent).toEqual({since: new Date(2026, 2, 1).toISOString(), cost: 0.75});
	});

	it('is computed without reading much more of a long log than today', async () => {
		const old = Array.from({length: 6000}, () => [48, 1] as const);
		const {bus, read} = await logOf(...old, [1, 0.25]);
		expect((await readSpentToday(bus, await bus.last(), noon)).cost).toBe(0.25);
		expect(read()).toBeLessThan(2001);
	});

	it('starts from zero on a new day', () => {
		const before = {since: new Date(2026, 1, 28).toISOString(), cost: 7};
		expect(addSpent(before, [ended(13, 5), ended(1, 0.5)], noon).cost).toBe(0.5);
	});

	it('counts new events once, and none that were already read', async () => {
		const {bus, clock} = await logOf([2, 0.5], [1, 0.25]);
		const over = new AbortController();
		onTestFinished(() => over.abort());
		const told: Spent[] = [];
		let hear = (_: readonly StoredEvent[]): void => {};
		const position = await bus.last();
		void followSpent({
			...{context: {bus, clock}, position, signal: over.signal},
			onEvents: (_signal, call) => {
				hear = call;
			},
			call: spent => void told.push(spent),
		});
		hear([
			{...ended(1, 100), sequence: position},
			{...ended(0, 1), sequence: position + 1},
		]);
		await vi.waitFor(() => expect(told.at(-1)?.cost).toBe(1.75), {timeout: timeoutMs});
		hear([{...ended(0, 1), sequence: position + 2}]);
		expect(told.at(-1)?.cost).toBe(2.75);
	});
});
