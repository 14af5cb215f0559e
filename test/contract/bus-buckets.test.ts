import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Entry} from '../../source/ports/bus.ts';
import {busDrivers, type OpenedBus} from './bus-drivers.ts';
import {never} from './collect.ts';

describe.each(busDrivers)('buckets and blobs, $name', ({open}) => {
	let opened: OpenedBus;
	beforeEach(async () => {
		opened = await open();
	});
	afterEach(() => opened.dispose());

	test('a key is created once, and an update needs the revision of the current value', async () => {
		const bucket = opened.bus.bucket('snapshots');
		const other = opened.peer.bucket('snapshots');
		const created = await bucket.create('a', 'one');
		expect(await other.create('a', 'two')).toBeUndefined();
		expect(await other.get('a')).toEqual({key: 'a', value: 'one', revision: created});
		const updated = await other.update('a', 'two', created ?? Number.NaN);
		expect(updated).toBeGreaterThan(created ?? Number.NaN);
		expect(await bucket.update('a', 'three', created ?? Number.NaN)).toBeUndefined();
		expect(await bucket.get('a')).toEqual({key: 'a', value: 'two', revision: updated});
	});

	test('a key is deleted only at its revision, and a recreated key has a greater revision', async () => {
		const bucket = opened.bus.bucket('snapshots');
		const created = (await bucket.create('a', 'one')) ?? Number.NaN;
		const updated = (await bucket.update('a', 'two', created)) ?? Number.NaN;
		expect(await bucket.delete('a', created)).toBe(false);
		expect(await bucket.delete('a', updated)).toBe(true);
		expect(await bucket.delete('a', updated)).toBe(false);
		expect(await bucket.get('a')).toBeUndefined();
		expect(await bucket.update('a', 'ghost', updated)).toBeUndefined();
		expect(await bucket.create('a', 'again')).toBeGreaterThan(updated);
	});

	test('an update of a deleted key changes nothing, also at the revision of the deletion', async () => {
		const bucket = opened.bus.bucket('snapshots');
		const created = (await bucket.create('a', 'one')) ?? Number.NaN;
		await bucket.delete('a', created);
		for (let revision = created; revision < created + 4; revision++) {
			expect(await bucket.update('a', 'ghost', revision)).toBeUndefined();
			expect(await bucket.delete('a', revision)).toBe(false);
		}
	});

	test('of several concurrent writers at one revision exactly one succeeds', async () => {
		const {bus, peer} = opened;
		const revision = (await bus.bucket('b').create('a', '')) ?? Number.NaN;
		const results = await Promise.all(
			Array.from({length: 10}, (_, index) =>
				(index % 2 ? bus : peer).bucket('b').update('a', `${index}`, revision),
			),
		);
		expect(results.filter(result => result !== undefined)).toHaveLength(1);
	});

	test('a bucket does not contain the keys of another', async () => {
		const {bus} = opened;
		await bus.bucket('one').create('a', '1');
		await bus.bucket('two').create('a', '2');
		await bus.bucket('two').create('b', '3');
		const read = async (name: string) =>
			(await bus.bucket(name).entries()).map(({key, value}) => [key, value]);
		expect(await read('one')).toEqual([['a', '1']]);
		expect((await read('two')).sort()).toEqual([
			['a', '2'],
			['b', '3'],
		]);
		expect(await read('three')).toEqual([]);
	});

	test('a watch emits the present entries, then each change, including deletions', async () => {
		const mine = opened.bus.bucket('watched');
		const theirs = opened.peer.bucket('watched');
		const gone = (await theirs.create('gone', 'x')) ?? Number.NaN;
		await theirs.delete('gone', gone);
		const first = (await theirs.create('a', '1')) ?? Number.NaN;
		const changes = mine.watch(never)[Symbol.asyncIterator]();
		const next = async (): Promise<{key: string; entry: Entry | undefined}> => (await changes.next()).value;
		expect(await next()).toEqual({key: 'a', entry: {key: 'a', value: '1', revision: first}});
		const awaited = next();
		await opened.peer.bucket('elsewhere').create('a', 'not for this watch');
		const second = (await theirs.update('a', '2', first)) ?? Number.NaN;
		expect(await awaited).toEqual({key: 'a', entry: {key: 'a', value: '2', revision: second}});
		await mine.delete('a', second);
		expect(await next()).toEqual({key: 'a', entry: undefined});
		const again = await theirs.create('a', '3');
		expect(await next()).toEqual({key: 'a', entry: {key: 'a', value: '3', revision: again}});
		await changes.return?.();
	});

	test('a watch ends when its signal aborts', async () => {
		const bucket = opened.bus.bucket('watched');
		await bucket.create('a', '1');
		const control = new AbortController();
		const keys: string[] = [];
		for await (const {key} of bucket.watch(control.signal)) {
			keys.push(key);
			queueMicrotask(() => control.abort());
		}
		expect(keys).toEqual(['a']);
	});

	test('a blob is found by the SHA-256 of its text from any process, and can be put twice', async () => {
		const {bus, peer} = opened;
		const large = 'diff é\n'.repeat(200_000);
		const hash = await bus.blobs.put(large);
		expect(await bus.blobs.put(large)).toBe(hash);
		expect(await peer.blobs.get(hash)).toBe(large);
		expect(await bus.blobs.put('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
		expect(await bus.blobs.get('0'.repeat(64))).toBeUndefined();
	});

	test('a removed blob is gone for every process, and can be put again', async () => {
		const {bus, peer} = opened;
		const [hash, other] = [await bus.blobs.put('one'), await bus.blobs.put('other')];
		for (let time = 0; time < 2; time++) await peer.blobs.remove(hash);
		expect(await bus.blobs.get(hash)).toBeUndefined();
		expect(await bus.blobs.get(other)).toBe('other');
		expect(await bus.blobs.put('one')).toBe(hash);
		expect(await peer.blobs.get(hash)).toBe('one');
	});
});
