import {describe, expect, onTestFinished, test} from 'vitest';
import {connect} from '../../source/drivers/nats-bus/connect.ts';
import {createNatsClient} from '../../source/drivers/nats-bus/nats-client.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {collect, never} from '../contract/collect.ts';
import {startTcpProxy} from '../helpers/tcp-proxy.ts';
import {accessTo, callAll, event, insist, isUnreachable, openBus, startServer} from './nats-bus-rig.ts';

const startProxy = async (...input: Parameters<typeof startTcpProxy>) => {
	const proxy = await startTcpProxy(...input);
	onTestFinished(proxy.close);
	return proxy;
};

/** Appends one by one, retries unacknowledged appends, and returns the sequences. */
const appendMany = async (bus: Bus, traceId: string, count: number, appended = (_: number): void => {}) => {
	const sequences: number[] = [];
	for (let index = 0; index < count; index++) {
		const answer = await insist(() => bus.append(event(index, traceId), {id: `${traceId}-${index}`}));
		sequences.push(answer.ok ? answer.sequence : Number.NaN);
		appended(index);
	}
	return sequences;
};

/** Resolves once the watch has shown these values; undefined means deleted. */
const shows = async (bus: Bus, wanted: Record<string, string | undefined>) => {
	const shown = new Map<string, string | undefined>();
	for await (const {key, entry} of bus.bucket('b').watch(never)) {
		shown.set(key, entry?.value);
		if (Object.entries(wanted).every(([each, value]) => shown.has(each) && shown.get(each) === value)) return;
	}
};

const set = (bus: Bus, key: string, value: string) =>
	insist(async () => {
		const bucket = bus.bucket('b');
		const present = await bucket.get(key);
		if (present?.value === value) return;
		await (present ? bucket.update(key, value, present.revision) : bucket.create(key, value));
	});

const remove = (bus: Bus, key: string) =>
	insist(async () => {
		const present = await bus.bucket('b').get(key);
		if (present) await bus.bucket('b').delete(key, present.revision);
	});

describe.each(['SIGTERM', 'SIGKILL'] as const)('a server that ends by %s and restarts', signal => {
	test('loses and duplicates nothing, and followers and watchers continue', async () => {
		const server = await startServer();
		const open = () => openBus(server.port);
		const [follower, watcher, one, two, writer] = await Promise.all([open(), open(), open(), open(), open()]);
		const total = 400;
		for (const key of ['x', 'y', 'gone']) await set(writer, key, 'first');
		const following = collect(follower.follow({after: 0, signal: never}), 2 * total);
		const watching = shows(watcher, {x: 'last', y: 'last', gone: undefined});
		let restarted: Promise<void> | undefined;
		const restart = (index: number) => {
			if (index === total / 4) restarted = server.stop(signal).then(() => server.start());
		};
		const appending = [appendMany(one, 'one', total, restart), appendMany(two, 'two', total)];
		for (let n = 0; n < 20; n++) await set(writer, n % 2 ? 'x' : 'y', `${n}`);
		const sequences = (await Promise.all(appending)).flat();
		await restarted;
		for (const key of ['x', 'y']) await set(writer, key, 'last');
		await remove(writer, 'gone');
		const stored = await collect(one.read({after: 0}));
		expect(stored.map(({sequence}) => sequence)).toEqual(sequences.sort((a, b) => a - b));
		expect(new Set(stored.map(({id}) => id)).size).toBe(2 * total);
		expect(await following).toEqual(stored);
		await watching;
	});
});

test('pending and new requests to a lost server fail at once, with its address', async () => {
	const server = await startServer();
	const bus = await openBus(server.port);
	const worked = await callAll(bus);
	expect(new Set(Object.values(worked))).toEqual(new Set([undefined]));
	server.signal('SIGSTOP');
	const underWay = callAll(bus);
	const began = performance.now();
	await server.stop('SIGKILL');
	const lost = `bus_unreachable: The connection to the bus at 127.0.0.1:${server.port} is lost.`;
	const all = Object.fromEntries(Object.keys(worked).map(name => [name, lost]));
	expect(await underWay).toEqual(all);
	expect(await callAll(bus)).toEqual(all);
	expect(performance.now() - began, 'faster than the response timeout').toBeLessThan(5000);
	await server.start();
	await insist(() => bus.last());
	expect(await callAll(bus)).toEqual(worked);
});

test('a link reports when its server goes and when it is back', async () => {
	const server = await startServer();
	const link = await createNatsClient(await connect(accessTo(server.port)), {
		...{clock: wallClock, address: 'here'},
		check: async () => {},
	});
	onTestFinished(link.close);
	const changes: boolean[] = [];
	const told = (count: number) =>
		new Promise<void>(resolve => {
			link.watch(never, () => void (changes.length >= count && resolve()));
		});
	link.watch(never, isThere => changes.push(isThere));
	const gone = told(1);
	await server.stop();
	await gone;
	const back = told(2);
	await server.start();
	await back;
	expect(changes).toEqual([false, true]);
});

test('a silent server is an outage, and a follower continues after it', async () => {
	const server = await startServer();
	const [follower, bus] = await Promise.all([openBus(server.port), openBus(server.port)]);
	const following = collect(follower.follow({after: 0, signal: never}), 2);
	await bus.append(event(1), {id: 'one'});
	server.signal('SIGSTOP');
	const untilSilent = async () => {
		for (;;) await bus.last();
	};
	await expect(untilSilent()).rejects.toSatisfy(isUnreachable);
	const began = performance.now();
	await expect(bus.append(event(2), {id: 'two'})).rejects.toSatisfy(isUnreachable);
	expect(performance.now() - began, 'faster than the response timeout').toBeLessThan(4000);
	server.signal('SIGCONT');
	await insist(() => bus.append(event(2), {id: 'two'}));
	expect((await following).map(({id}) => id)).toEqual(['one', 'two']);
});

test('a first request is repeated if its answer is lost', async () => {
	const server = await startServer();
	const questions: string[] = [];
	const proxy = await startProxy(server.port, {
		alter: sent =>
			sent.replace(/(PUB \$JS\.API\.\S+ )_INBOX/, (written, question) => {
				questions.push(question);
				return questions.length === 1 ? `${question}_LOST_` : written;
			}),
	});
	const bus = await openBus(proxy.port);
	expect(questions[0]).toContain('STREAM.INFO');
	expect(questions[1]).toBe(questions[0]);
	expect(await bus.last()).toBe(0);
});

test('a client that lost the network for a while continues where it was', async () => {
	const server = await startServer();
	const proxy = await startProxy(server.port);
	const [near, far] = await Promise.all([openBus(server.port), openBus(proxy.port)]);
	const following = collect(far.follow({after: 0, signal: never}), 3);
	const watching = shows(far, {x: 'last'});
	await near.append(event(1), {id: '1'});
	proxy.cut();
	await expect(far.last()).rejects.toSatisfy(isUnreachable);
	const late = shows(far, {x: 'last'});
	await near.append(event(2), {id: '2'});
	await set(near, 'x', 'last');
	proxy.mend();
	await insist(() => far.append(event(3), {id: '3'}));
	expect((await following).map(({id}) => id)).toEqual(['1', '2', '3']);
	await Promise.all([watching, late]);
});

test('a slow network with small packets changes no result', async () => {
	const server = await startServer();
	const proxy = await startProxy(server.port, {delayMs: 10, pieces: 7});
	const [bus, follower] = await Promise.all([openBus(proxy.port), openBus(proxy.port)]);
	const following = collect(follower.follow({after: 0, signal: never}), 60);
	await Promise.all(Array.from({length: 60}, (_, n) => bus.append(event('é', `${n % 10}`), {id: `${n}`})));
	expect(await following).toEqual(await collect(bus.read({after: 0})));
	const large = 'é\0'.repeat(10_000);
	expect(await follower.blobs.get(await bus.blobs.put(large))).toBe(large);
});
