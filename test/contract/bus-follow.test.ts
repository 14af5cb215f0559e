import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {busDrivers, type OpenedBus} from './bus-drivers.ts';
import {collect, never} from './collect.ts';

const event = (traceId: string, value: unknown): NewEvent => ({
	traceId,
	type: 'INSIGHT',
	payload: {kind: 'note', value},
});

describe.each(busDrivers)('following the log, $name', ({open}) => {
	let opened: OpenedBus;
	beforeEach(async () => {
		opened = await open();
	});
	afterEach(() => opened.dispose());

	test('a follower receives stored events, then new ones, without gaps during concurrent appends', async () => {
		const {bus, peer} = opened;
		const total = 1800;
		const append = (each: number) =>
			(each % 2 ? bus : peer).append(event(`t-${each % 3}`, each), {id: `${each}`});
		await Promise.all(Array.from({length: 1200}, (_, index) => append(index)));
		const followers = [bus, peer, peer].map(each => collect(each.follow({after: 0, signal: never}), total));
		for (let index = 1200; index < total; index += 20)
			await Promise.all(Array.from({length: 20}, (_, offset) => append(index + offset)));
		const stored = await collect(bus.read({after: 0}));
		expect(stored).toHaveLength(total);
		for (const follower of followers) expect(await follower).toEqual(stored);
	});

	test('a follower of one trace receives only its events, from the given sequence on', async () => {
		const {bus, peer} = opened;
		const first = await bus.append(event('mine', 0), {id: 'first'});
		const after = first.ok ? first.sequence : Number.NaN;
		const following = collect(bus.follow({traceId: 'mine', after, signal: never}), 2);
		for (const [index, traceId] of ['other', 'mine', 'other', 'mine'].entries())
			await peer.append(event(traceId, index), {id: `${index}`});
		expect((await following).map(({payload}) => payload.value)).toEqual([1, 3]);
	});

	test('a waiting follower receives a single append of another process', async () => {
		const {bus, peer} = opened;
		for (let round = 0; round < 5; round++) {
			const following = collect(bus.follow({after: await bus.last(), signal: never}), 1);
			await peer.append(event('a', round), {id: `${round}`});
			expect((await following)[0]?.payload.value).toBe(round);
		}
	});

	test('a slow follower receives the last of many appends, although no later append follows', async () => {
		const {bus, peer} = opened;
		const total = 600;
		const append = (index: number) => peer.append(event(`t-${index % 8}`, index), {id: `${index}`});
		await append(0);
		let count = 0;
		for await (const batch of bus.follow({after: 0, signal: never})) {
			if (count === 0) await Promise.all(Array.from({length: total - 1}, (_, index) => append(index + 1)));
			// The appended events have arrived by then, and wait.
			for (let round = 0; round < 50; round++) await bus.last();
			count += batch.length;
			if (count === total) break;
		}
		expect(count).toBe(total);
	});

	test('a follow ends when its signal aborts, while waiting or reading', async () => {
		const {bus} = opened;
		await bus.append(event('a', 0), {id: '0'});
		const waiting = new AbortController();
		const replayed: unknown[] = [];
		for await (const batch of bus.follow({after: 0, signal: waiting.signal})) {
			replayed.push(...batch);
			queueMicrotask(() => waiting.abort());
		}
		expect(replayed).toHaveLength(1);
		expect(await collect(bus.follow({after: 0, signal: AbortSignal.abort()}))).toEqual([]);
	});

	test('every follow and watch ends when the bus closes', async () => {
		const {bus} = opened;
		const endings = [
			collect(bus.follow({after: 0, signal: never})),
			(async () => {
				for await (const _ of bus.bucket('any').watch(never));
			})(),
		];
		await bus.append(event('a', 0), {id: '0'});
		await bus.close();
		await Promise.all(endings);
	});
});
