import {headers} from '@nats-io/transport-node';
import {expect, onTestFinished, test} from 'vitest';
import {collect, never} from '../contract/collect.ts';
import {startTcpProxy} from '../helpers/tcp-proxy.ts';
import {event, insist, names, openBus, openManager, openOther, startServer} from './nats-bus-rig.ts';

const headersOf = (written: Record<string, string>) => {
	const all = headers();
	for (const [name, value] of Object.entries(written)) all.set(name, value);
	return all;
};

const junk: {what: string; body: string | Uint8Array; headers?: Record<string, string>}[] = [
	{what: 'nothing', body: ''},
	{what: 'no text', body: new Uint8Array([0xff, 0xfe, 0])},
	{what: 'no JSON', body: '{"traceId": "a"'},
	{what: 'null', body: 'null'},
	{what: 'a list', body: '[]'},
	{what: 'no payload', body: JSON.stringify({traceId: 'a', type: 'SIGNAL'})},
	{what: 'no kind', body: JSON.stringify({traceId: 'a', type: 'SIGNAL', payload: {}})},
	{what: 'no type', body: JSON.stringify({traceId: 'a', payload: {kind: 'note'}})},
	{what: 'an agent without a name', body: JSON.stringify({...event(1), agentId: 1})},
	{what: 'the id of another trace', body: JSON.stringify(event(1, 'b'))},
	{
		what: 'no JSON, and odd headers',
		body: 'x',
		headers: {'Hive-Id': ' ', 'Hive-At': 'soon', Traceparent: 'é'},
	},
];

test('reads, follows and appends skip foreign messages on the subject of events', async () => {
	const server = await startServer();
	const [bus, other] = await Promise.all([openBus(server.port), openBus(server.port)]);
	const stranger = await openOther(server.port);
	const following = collect(other.follow({after: 0, signal: never}), junk.length + 1);
	const first = await bus.append(event('first'), {id: 'first'});
	let last = first.ok ? first.sequence : Number.NaN;
	for (const [index, {body, headers: written = {}}] of junk.entries()) {
		await stranger.request(names.subjectOf('a'), body, {timeout: 5000, headers: headersOf(written)});
		expect(await bus.append(event(index), {id: `stale-${index}`, after: last})).toEqual({
			ok: false,
			last: last + 1,
		});
		expect(await bus.append(event(index), {id: `${index}`})).toMatchObject({ok: true, sequence: last + 2});
		last += 2;
	}
	const read = await collect(bus.read({traceId: 'a', after: 0}));
	expect(read.map(({id}) => id)).toEqual(['first', ...junk.keys()].map(String));
	expect(await following).toEqual(read);
	expect(await bus.heads()).toEqual(new Map([['a', last]]));
});

test('an event of another client without hive headers gets its own time and id', async () => {
	const server = await startServer();
	const bus = await openBus(server.port);
	const stranger = await openOther(server.port);
	for (const written of [{}, {'Hive-At': 'soon', 'Hive-Id': ''}])
		await stranger.request(names.subjectOf('a'), JSON.stringify(event('guest')), {
			...{timeout: 5000, headers: headersOf(written)},
		});
	const read = await collect(bus.read({after: 0}));
	expect(read.map(({id}) => id)).toEqual(['message-1', 'message-2']);
	for (const {at} of read) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('ended reads, follows and watches, and a closed bus, leave no consumer on the server', async () => {
	const server = await startServer();
	const manager = await openManager(server.port);
	const consumers = async () => {
		let count = 0;
		for await (const {state} of manager.streams.list()) count += state.consumer_count;
		return count;
	};
	const [bus, closing] = await Promise.all([openBus(server.port), openBus(server.port)]);
	for (let n = 0; n < 3; n++) await bus.append(event(n), {id: `${n}`});
	await bus.bucket('b').create('x', '1');
	await collect(bus.read({after: 0}));
	await bus.heads();
	await bus.bucket('b').entries();
	for await (const _ of bus.follow({after: 0, signal: never})) break;
	for await (const _ of bus.bucket('b').watch(never)) break;
	expect(await consumers()).toBe(0);
	const control = new AbortController();
	const waiting = [
		collect(bus.follow({after: 3, signal: control.signal})),
		collect(bus.follow({after: 0, signal: control.signal})),
	];
	const left = Array.from({length: 5}, () => collect(closing.follow({after: 3, signal: never})));
	await expect.poll(consumers, {interval: 5}).toBe(7);
	control.abort();
	await Promise.all(waiting);
	expect(await consumers()).toBe(5);
	await closing.close();
	await Promise.all(left);
	expect(await consumers()).toBe(0);
});

test.each([{how: 'that waits'}, {how: 'that the network keeps from hearing of it'}])(
	'a follower $how continues without a gap when its consumer is gone',
	async ({how}) => {
		const server = await startServer();
		const proxy = await startTcpProxy(server.port);
		onTestFinished(proxy.close);
		const manager = await openManager(server.port);
		const [bus, far] = await Promise.all([openBus(server.port), openBus(proxy.port)]);
		await bus.append(event(0), {id: '0'});
		const followed: string[] = [];
		const following = (async () => {
			for await (const batch of far.follow({after: 0, signal: never})) {
				followed.push(...batch.map(({id}) => id));
				if (followed.length >= 20) return;
			}
		})();
		for (let n = 1; n < 10; n++) await bus.append(event(n), {id: `${n}`});
		await expect.poll(() => followed.length, {interval: 5}).toBe(10);
		if (how !== 'that waits') proxy.hold();
		for await (const {name} of manager.consumers.list(names.stream))
			await manager.consumers.delete(names.stream, name);
		for (let n = 10; n < 20; n++) await insist(() => bus.append(event(n), {id: `${n}`}));
		proxy.release();
		await following;
		expect(followed).toEqual(Array.from({length: 20}, (_, n) => `${n}`));
	},
);
