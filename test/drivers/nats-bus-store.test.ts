import {cp, rm} from 'node:fs/promises';
import type {JetStreamManager} from '@nats-io/jetstream';
import {expect, onTestFinished, test} from 'vitest';
import {bornStream, expectSameStream} from '../../source/drivers/nats-bus/stream.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {collect, never} from '../contract/collect.ts';
import {callAll, event, insist, names, openBus, openManager, startServer} from './nats-bus-rig.ts';

test.each([{store: 'wiped'}, {store: 'put back from an older copy'}])(
	'no bus continues on a store that was $store while the server was down',
	async ({store}) => {
		const server = await startServer();
		const open = () => openBus(server.port);
		const [writer, follower, reader] = await Promise.all([open(), open(), open()]);
		await writer.append(event('old'), {id: 'old'});
		await writer.bucket('b').create('x', 'old');
		await server.stop();
		const copy = `${server.store}-copy`;
		await cp(server.store, copy, {recursive: true});
		await server.start();
		await insist(() => writer.append(event('new'), {id: 'new'}));
		for (const bus of [follower, reader]) await insist(() => bus.last());
		const idle = await open();
		const follow = follower.follow({after: 0, signal: never})[Symbol.asyncIterator]();
		const watch = follower.bucket('b').watch(never)[Symbol.asyncIterator]();
		await Promise.all([follow.next(), watch.next()]);
		const endings = Promise.allSettled([follow.next(), watch.next()]);
		await server.stop();
		await rm(server.store, {recursive: true});
		if (store !== 'wiped') await cp(copy, server.store, {recursive: true});
		await server.start();
		const replaced = {status: 'rejected', reason: {refusal: {code: 'log_replaced'}}};
		expect(await endings).toMatchObject([replaced, replaced]);
		for (const bus of [writer, follower, reader, idle]) {
			await expect(insist(() => bus.last())).rejects.toMatchObject(replaced.reason);
			for (const outcome of Object.values(await callAll(bus))) expect(outcome).toMatch(/^log_replaced: /);
		}
		const later = await open();
		const values = (await collect(later.read({after: 0}))).map(({payload}) => payload.value);
		expect(values).toEqual(store === 'wiped' ? [] : ['old']);
		expect(await later.append(event('again'), {id: 'again'})).toMatchObject({ok: true, duplicate: false});
	},
);

const told = (answers: string[]) => {
	const info = async () => ({created: answers.shift(), state: {last_seq: 7}});
	const after = (_: number, call: () => void) => {
		call();
		return () => {};
	};
	const manager = {streams: {info}} as unknown as JetStreamManager;
	return {manager, address: 'here', clock: {...wallClock, after}};
};
const known = {stream: names.stream, created: 'long ago', last: 7};

test('a stream that the server is still restoring with a new creation time is the known one', async () => {
	expect(await expectSameStream(told(['just now', 'long ago']), known)).toBe(7);
});

test('a stream that keeps a new creation time is a different one', async () => {
	const looking = expectSameStream(told(['just now', 'just now']), known);
	await expect(looking).rejects.toMatchObject({refusal: {code: 'log_replaced'}});
});

test('a stream that is being created is identified by its final creation time', async () => {
	const answers = ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z', 'by now'];
	expect(await bornStream(async () => ({created: answers.shift() ?? ''}))).toEqual({created: 'by now'});
});

test('reads end and lack nothing while another process replaces and removes their data', async () => {
	const server = await startServer();
	const [bus, other] = await Promise.all([openBus(server.port), openBus(server.port)]);
	const mine = bus.bucket('b');
	const keys = ['x', 'y', 'z'];
	const revisions = new Map<string, number>();
	for (const key of keys) revisions.set(key, (await mine.create(key, '')) ?? Number.NaN);
	const first = await bus.append(event(0), {id: 'first'});
	let last = first.ok ? first.sequence : Number.NaN;
	let isOver = false;
	const writing = (async () => {
		for (let round = 0; !isOver; round++) {
			for (const key of keys)
				revisions.set(
					key,
					(await mine.update(key, `${round}`, revisions.get(key) ?? Number.NaN)) ?? Number.NaN,
				);
			const appended = await bus.append(event(round), {id: `${round}`});
			last = appended.ok ? appended.sequence : Number.NaN;
			await bus.forget('a', last);
		}
	})();
	for (let round = 0; round < 40; round++) {
		expect((await other.bucket('b').entries()).map(({key}) => key).sort()).toEqual(keys);
		expect((await other.heads()).has('a')).toBe(true);
		expect(await collect(other.read({after: 0}))).not.toEqual([]);
	}
	isOver = true;
	await writing;
	expect((await collect(other.read({after: 0}))).map(({sequence}) => sequence)).toEqual([last]);
});

const large = (sign: string) => sign.repeat(3 * 1024 * 1024);
const keys = [
	'plain',
	'dots.and/slashes',
	'with blanks ',
	'grüße → 蜂🐝',
	'Case',
	'case',
	'*',
	'>',
	'=2e',
	'.',
];

test('large values under any key are stored, changed, watched and removed like small ones', async () => {
	const server = await startServer();
	const [bus, other] = await Promise.all([openBus(server.port), openBus(server.port)]);
	const [mine, theirs] = [bus.bucket('b'), other.bucket('b')];
	for (const key of keys) expect(await mine.create(key, key)).toBeGreaterThan(0);
	const present = Object.fromEntries((await theirs.entries()).map(({key, value}) => [key, value]));
	expect(present).toEqual(Object.fromEntries(keys.map(key => [key, key])));
	const control = new AbortController();
	onTestFinished(async () => control.abort());
	const changes = theirs.watch(control.signal)[Symbol.asyncIterator]();
	for (const _ of keys) await changes.next();

	const created = (await mine.create('large', large('a'))) ?? Number.NaN;
	expect(await mine.create('large', large('b'))).toBeUndefined();
	expect((await changes.next()).value).toEqual({
		key: 'large',
		entry: {key: 'large', value: large('a'), revision: created},
	});
	const updated = (await theirs.update('large', large('c'), created)) ?? Number.NaN;
	expect(await mine.update('large', large('d'), created)).toBeUndefined();
	const entry = {key: 'large', value: large('c'), revision: updated};
	expect((await changes.next()).value).toEqual({key: 'large', entry});
	expect(await mine.get('large')).toEqual(entry);
	expect((await mine.entries()).find(({key}) => key === 'large')).toMatchObject(entry);
	expect(await objectsOf(server.port), 'only the object of the current value is left').toBe(1);
	expect(await mine.delete('large', updated)).toBe(true);
	expect((await changes.next()).value).toEqual({key: 'large', entry: undefined});
	expect(await objectsOf(server.port)).toBe(0);
});

/** Returns the number of objects with stored bytes on the server. */
const objectsOf = async (port: number) => {
	const manager = await openManager(port);
	const {state} = await manager.streams.info(`OBJ_${names.blobs}`, {
		subjects_filter: `$O.${names.blobs}.C.>`,
	});
	return Object.keys(state.subjects ?? {}).length;
};
