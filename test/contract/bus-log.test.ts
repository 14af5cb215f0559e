import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {busDrivers, type OpenedBus} from './bus-drivers.ts';
import {collect, never} from './collect.ts';

const event = (traceId: string, value: unknown = 0): NewEvent => ({
	traceId,
	agentId: 'agent-1',
	type: 'SIGNAL',
	payload: {kind: 'feature.requested', value},
});

const batchOf = (name: string, count: number) =>
	Array.from({length: count}, (_, index) => ({id: `${name}-${index}`, event: event('a', index)}));

describe.each(busDrivers)('the log, $name', ({open}) => {
	let opened: OpenedBus;
	beforeEach(async () => {
		opened = await open();
	});
	afterEach(() => opened.dispose());

	test('events are read in append order, unchanged', async () => {
		const {bus} = opened;
		const given = [event('a', 1), {...event('b', 'é\n"'), energyBudget: 5}, event('a', {deep: [null, true]})];
		for (const [index, one] of given.entries()) await bus.append(one, {id: `id-${index}`});
		const read = await collect(bus.read({after: 0}));
		expect(read).toMatchObject(given);
		expect(read.map(({id}) => id)).toEqual(['id-0', 'id-1', 'id-2']);
		expect(read[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		const sequences = read.map(({sequence}) => sequence);
		expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
		expect(await bus.last()).toBe(sequences.at(-1));
		expect(await Promise.all(['a', 'b', 'c'].map(bus.last))).toEqual([sequences[2], sequences[1], 0]);
		expect(await bus.heads()).toEqual(
			new Map([
				['a', sequences[2]],
				['b', sequences[1]],
			]),
		);
	});

	test('an empty log has last 0 and no events', async () => {
		expect(await opened.bus.last()).toBe(0);
		expect(await opened.bus.heads()).toEqual(new Map());
		expect(await collect(opened.bus.read({after: 0}))).toEqual([]);
	});

	test('an id appends once, and both appends return the same sequence', async () => {
		const {bus, peer} = opened;
		const first = await bus.append(event('a'), {id: 'same'});
		const again = await peer.append(event('a'), {id: 'same'});
		expect(first).toMatchObject({ok: true, duplicate: false});
		expect(again).toEqual({...first, duplicate: true});
		expect(await collect(bus.read({after: 0}))).toHaveLength(1);
	});

	test('concurrent appends of one id, alone or in a batch, append once', async () => {
		const {bus, peer} = opened;
		const results = await Promise.all(
			[bus, bus, peer, peer].map(each => each.append(event('a'), {id: 'same'})),
		);
		expect(results.filter(result => result.ok && !result.duplicate)).toHaveLength(1);
		expect(new Set(results.map(result => result.ok && result.sequence)).size).toBe(1);
		expect(await collect(bus.read({after: 0}))).toHaveLength(1);
	});

	test('a conditional append is refused if its trace has moved, and returns the current sequence', async () => {
		const {bus} = opened;
		await bus.append(event('a'), {id: 'one'});
		const newest = await bus.append(event('a'), {id: 'two'});
		await bus.append(event('b'), {id: 'other trace'});
		const last = newest.ok ? newest.sequence : Number.NaN;
		expect(await bus.append(event('a'), {id: 'late', after: last - 1})).toEqual({ok: false, last});
		expect(await bus.append(event('a'), {id: 'in time', after: last})).toMatchObject({ok: true});
		expect(await collect(bus.read({traceId: 'a', after: 0}))).toHaveLength(3);
	});

	test('an append with after 0 opens a trace, once', async () => {
		const {bus} = opened;
		await bus.append(event('other'), {id: 'other'});
		const first = await bus.append(event('a'), {id: 'first', after: 0});
		expect(first).toMatchObject({ok: true, duplicate: false});
		const refused = await bus.append(event('a'), {id: 'second', after: 0});
		expect(refused).toEqual({ok: false, last: first.ok && first.sequence});
	});

	test('an append of a stored id is a duplicate, even if its trace has moved since', async () => {
		const {bus} = opened;
		const first = await bus.append(event('a'), {id: 'claim', after: 0});
		await bus.append(event('a'), {id: 'more'});
		expect(await bus.append(event('a'), {id: 'claim', after: 0})).toEqual({...first, duplicate: true});
	});

	test('of several concurrent conditional appends exactly one succeeds, and the others are refused', async () => {
		const {bus, peer} = opened;
		for (let last = 0, round = 0; round < 5; round++) {
			const results = await Promise.all(
				Array.from({length: 10}, (_, index) =>
					(index % 2 ? bus : peer).append(event('a'), {id: `${round}-${index}`, after: last}),
				),
			);
			const won = results.filter(result => result.ok);
			expect(won).toHaveLength(1);
			last = won[0]?.sequence ?? Number.NaN;
			expect(results.filter(result => !result.ok)).toEqual(Array(9).fill({ok: false, last}));
		}
	});

	test('a batch is appended contiguously and atomically, and returns the last sequence', async () => {
		const {bus, peer} = opened;
		const first = await bus.append(event('a'), {id: 'first'});
		const last = first.ok ? first.sequence : Number.NaN;
		const appended = await peer.appendAll(batchOf('b', 3), last);
		expect(appended).toEqual({ok: true, sequence: last + 3, duplicate: false});
		const read = await collect(bus.read({traceId: 'a', after: last}));
		expect(read.map(({id, payload}) => [id, payload.value])).toEqual([
			['b-0', 0],
			['b-1', 1],
			['b-2', 2],
		]);
		expect(await bus.appendAll(batchOf('c', 2))).toMatchObject({ok: true, sequence: last + 5});
	});

	test('a batch is refused as a whole if its trace has moved', async () => {
		const {bus} = opened;
		const first = await bus.append(event('a'), {id: 'first'});
		const last = first.ok ? first.sequence : Number.NaN;
		expect(await bus.appendAll(batchOf('late', 3), last - 1)).toEqual({ok: false, last});
		expect(await collect(bus.read({after: 0}))).toHaveLength(1);
	});

	test('a batch that is appended again is stored once', async () => {
		const {bus, peer} = opened;
		const first = await bus.appendAll(batchOf('b', 3), 0);
		await bus.append(event('a'), {id: 'more'});
		expect(await peer.appendAll(batchOf('b', 3), 0)).toEqual({...first, duplicate: true});
		expect(await peer.appendAll(batchOf('b', 3))).toEqual({...first, duplicate: true});
		expect(await collect(bus.read({after: 0}))).toHaveLength(4);
	});

	test('a batch whose first events are stored appends the rest, unless the trace has moved since', async () => {
		const {bus} = opened;
		await bus.appendAll(batchOf('b', 1), 0);
		expect(await bus.appendAll(batchOf('b', 3), 0)).toMatchObject({ok: true, duplicate: false});
		expect(await collect(bus.read({after: 0}))).toHaveLength(3);
		const moved = await bus.append(event('a'), {id: 'more'});
		expect(await bus.appendAll(batchOf('b', 4), 0)).toEqual({ok: false, last: moved.ok && moved.sequence});
		expect(await collect(bus.read({after: 0}))).toHaveLength(4);
	});

	test('a batch with one event that is too large is refused as a whole', async () => {
		const {bus} = opened;
		const large = {id: 'large', event: event('a', 'x'.repeat(256 * 1024))};
		await expect(bus.appendAll([...batchOf('b', 2), large])).rejects.toMatchObject({
			refusal: {code: 'event_too_large'},
		});
		expect(await collect(bus.read({after: 0}))).toHaveLength(0);
	});

	test('an event with an invalid id is refused, and so is the rest of its batch', async () => {
		const {bus} = opened;
		const task = {...event('a'), payload: {kind: 'task.ready', taskId: '../../t'}};
		for (const bad of [event('../../victim'), {...event('a'), agentId: 'a/b'}, task]) {
			const refused = {refusal: {code: 'invalid_id'}};
			await expect(bus.append(bad, {id: 'bad'})).rejects.toMatchObject(refused);
			await expect(bus.appendAll([...batchOf('b', 2), {id: 'bad', event: bad}])).rejects.toMatchObject(
				refused,
			);
		}
		expect(await collect(bus.read({after: 0}))).toHaveLength(0);
	});

	test('a read covers one trace or all, from a sequence on', async () => {
		const {bus} = opened;
		const appended = [];
		for (let index = 0; index < 20; index++)
			appended.push(await bus.append(event(index % 2 ? 'odd' : 'even', index), {id: `${index}`}));
		const tenth = appended[9]?.ok ? appended[9].sequence : Number.NaN;
		const values = async (options: {traceId?: string; after: number}) =>
			(await collect(bus.read(options))).map(({payload}) => payload.value);
		expect(await values({traceId: 'odd', after: 0})).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
		expect(await values({traceId: 'odd', after: tenth})).toEqual([11, 13, 15, 17, 19]);
		expect(await values({after: tenth})).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
		expect(await values({traceId: 'none', after: 0})).toEqual([]);
	});

	test('a long log is read in several batches without a gap', async () => {
		const {bus} = opened;
		await Promise.all(
			Array.from({length: 2500}, (_, index) => bus.append(event('a', index), {id: `${index}`})),
		);
		const sizes: number[] = [];
		const values: unknown[] = [];
		for await (const batch of bus.read({after: 0})) {
			sizes.push(batch.length);
			values.push(...batch.map(({payload}) => payload.value));
		}
		expect(sizes.length).toBeGreaterThan(1);
		expect(values).toEqual(Array.from({length: 2500}, (_, index) => index));
	});

	test('forgotten events of a trace are gone for every process, and no other event changes', async () => {
		const {bus, peer} = opened;
		for (const [index, traceId] of ['a', 'b', 'a', 'b', 'a'].entries())
			await bus.append(event(traceId, index), {id: `${index}`});
		const all = await collect(bus.read({after: 0}));
		const newest = all.at(-1)?.sequence ?? Number.NaN;
		const kept = all.filter(({traceId, sequence}) => traceId === 'b' || sequence === newest);
		for (let time = 0; time < 2; time++) await bus.forget('a', newest);
		for (const each of [bus, peer]) {
			expect(await collect(each.read({after: 0}))).toEqual(kept);
			expect(await collect(each.read({traceId: 'a', after: 0}))).toEqual(kept.slice(-1));
			expect(await collect(each.read({after: kept[0]?.sequence ?? Number.NaN}))).toEqual(kept.slice(1));
			expect(await each.last()).toBe(newest);
			expect(await each.heads()).toEqual(
				new Map([
					['a', newest],
					['b', newest - 1],
				]),
			);
		}
		expect(await peer.append(event('a'), {id: 'late', after: newest - 2})).toEqual({ok: false, last: newest});
		const next = await peer.append(event('a'), {id: 'next', after: newest});
		expect(next).toEqual({ok: true, sequence: newest + 1, duplicate: false});
	});

	test('a follower that has not read forgotten events yet continues after them', async () => {
		const {bus, peer} = opened;
		const first = await bus.append(event('b', 'first'), {id: 'first'});
		await bus.append(event('a', 'gone'), {id: 'gone'});
		const stays = await bus.append(event('a', 'stays'), {id: 'stays'});
		const after = first.ok ? first.sequence : Number.NaN;
		const follower = peer.follow({after, signal: never})[Symbol.asyncIterator]();
		await bus.forget('a', stays.ok ? stays.sequence : Number.NaN);
		expect((await follower.next()).value).toMatchObject([{payload: {value: 'stays'}}]);
		await bus.append(event('a', 'more'), {id: 'more'});
		expect((await follower.next()).value).toMatchObject([{payload: {value: 'more'}}]);
		await follower.return?.();
	});

	test('a reader that runs while a trace is forgotten misses no event of other traces', async () => {
		const {bus, peer} = opened;
		await bus.append(event('a', 'gone'), {id: 'gone'});
		const others = Array.from({length: 2500}, (_, index) => index);
		await Promise.all(others.map(index => bus.append(event('b', index), {id: `b/${index}`})));
		const stays = await bus.append(event('a', 'stays'), {id: 'stays'});
		const read: unknown[] = [];
		for await (const events of peer.read({after: 0})) {
			if (read.length === 0) await bus.forget('a', stays.ok ? stays.sequence : Number.NaN);
			read.push(...events.filter(({traceId}) => traceId === 'b').map(({payload}) => payload.value));
		}
		expect(read.sort((one, other) => Number(one) - Number(other))).toEqual(others);
	});

	test('an event of 256 KiB is accepted, and a larger one is refused and stores nothing', async () => {
		const {bus} = opened;
		const room = 256 * 1024 - Buffer.byteLength(JSON.stringify(event('a', '')));
		await expect(bus.append(event('a', 'é'.repeat(room / 2 + 1)), {id: 'large'})).rejects.toMatchObject({
			refusal: {code: 'event_too_large'},
		});
		expect(await bus.append(event('a', 'x'.repeat(room)), {id: 'fits'})).toMatchObject({ok: true});
		expect(await collect(bus.read({after: 0}))).toHaveLength(1);
	});

	test('pending operations finish before the bus closes, and a closed bus refuses more', async () => {
		const {bus, peer} = opened;
		const appends = Array.from({length: 20}, (_, index) => bus.append(event('a', index), {id: `${index}`}));
		await bus.close();
		expect(await Promise.all(appends)).toHaveLength(20);
		await expect(bus.append(event('a'), {id: 'late'})).rejects.toMatchObject({
			refusal: {code: 'bus_unreachable'},
		});
		await expect(bus.last()).rejects.toMatchObject({refusal: {code: 'bus_unreachable'}});
		if (peer !== bus) expect(await collect(peer.read({after: 0}))).toHaveLength(20);
	});
});
