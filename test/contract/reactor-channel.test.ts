import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {HiveError} from '../../source/domain/errors.ts';
import {createReactorChannel} from '../../source/drivers/reactor-channel/channel.ts';
import type {ReactorChannel} from '../../source/ports/reactor-channel.ts';
import {service, wallClock} from './bus-drivers.ts';
import {createMemoryChannels} from './memory-channel.ts';

type Opened = {
	/** Connects as another process; `offer` waits that many milliseconds for an answer. */
	readonly connect: (patienceMilliseconds: number) => ReactorChannel;
	readonly dispose: () => Promise<void>;
};

const overSocket = async (): Promise<Opened> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-channel-'));
	const socket = join(folder, 'reactor.sock');
	return {
		// The time advances at each call, since a client caches the absence of a reactor for a while.
		connect: patienceMilliseconds => {
			let elapsed = 0;
			const clock = {...wallClock, elapsed: () => (elapsed += 1000)};
			return createReactorChannel({socket, clock, answerTimeoutMs: patienceMilliseconds});
		},
		dispose: () => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}),
	};
};

const inMemory = async (): Promise<Opened> => ({
	connect: createMemoryChannels(),
	dispose: async () => {},
});

const event = {traceId: 'a', type: 'SIGNAL' as const, payload: {kind: 'note'}};

/** Subscribes, and returns a promise of the next wake-up. */
const subscribe = (channel: ReactorChannel) => {
	let count = 0;
	let call = () => {};
	const unsubscribe = channel.subscribe(() => {
		count += 1;
		call();
	});
	return {
		unsubscribe,
		count: () => count,
		woken: (than = count) =>
			new Promise<void>(resolve => {
				if (count > than) return resolve();
				call = resolve;
			}),
	};
};

describe.each([
	{name: 'over a socket', open: overSocket},
	{name: 'in memory', open: inMemory},
])('the channel to the reactor, $name', ({open}) => {
	let opened: Opened;
	let channels: ReactorChannel[];
	const connect = (patienceMilliseconds = 10_000) => {
		const channel = opened.connect(patienceMilliseconds);
		channels.push(channel);
		return channel;
	};
	beforeEach(async () => {
		opened = await open();
		channels = [];
	});
	afterEach(async () => {
		for (const channel of channels) await channel.close();
		await opened.dispose();
	});

	test('a request without a live reactor has no answer', async () => {
		const [reactor, client] = [connect(), connect()];
		const asked = async () => [
			await client.status(),
			await client.offer(event, 'mine'),
			await client.append(event, {id: 'mine'}),
		];
		expect(await asked()).toEqual([undefined, undefined, undefined]);
		const stop = await reactor.serve(service);
		expect(await asked()).not.toContain(undefined);
		await stop();
		expect(await asked()).toEqual([undefined, undefined, undefined]);
	});

	test('a reactor reports its status, and receives events and appends unchanged', async () => {
		const [reactor, client] = [connect(), connect()];
		const taken: unknown[] = [];
		const only = {...service.status(), only: 'a', problems: [{path: 'a.yaml', message: 'no'}]};
		await reactor.serve({
			...service,
			status: () => only,
			append: async (...given) => {
				taken.push(given);
				return taken.length === 1 ? {ok: true, sequence: 7, duplicate: true} : {ok: false, last: 9};
			},
		});
		expect(await client.status()).toEqual(only);
		expect(await client.offer({any: 'é\n"'}, 'mine')).toEqual({
			ok: true,
			value: {raw: {any: 'é\n"'}, id: 'mine'},
		});
		expect(await client.append(event, {id: 'one', after: 3})).toEqual({
			ok: true,
			sequence: 7,
			duplicate: true,
		});
		expect(await client.append(event, {id: 'two'})).toEqual({ok: false, last: 9});
		expect(taken).toEqual([
			[event, {id: 'one', after: 3}],
			[event, {id: 'two'}],
		]);
	});

	test('a refused event returns the code, the message and the next step', async () => {
		const [reactor, client] = [connect(), connect()];
		const emit = () =>
			Promise.reject(new HiveError('schema_validation_failed', {message: 'payload.kind is missing.'}));
		await reactor.serve({...service, emit});
		expect(await client.offer({}, 'mine')).toEqual({
			ok: false,
			error: {
				code: 'schema_validation_failed',
				message: 'payload.kind is missing.',
				hint: expect.stringMatching(/./),
			},
		});
	});

	test('an append that the reactor cannot make is left to the store', async () => {
		const [reactor, client] = [connect(), connect()];
		await reactor.serve({...service, append: () => Promise.reject(new HiveError('bus_unreachable'))});
		expect(await client.append(event, {id: 'one'})).toBeUndefined();
	});

	test('an answer after the timeout counts as none', async () => {
		const [reactor, client, hasty] = [connect(), connect(), connect(20)];
		await reactor.serve({...service, emit: () => new Promise(() => {})});
		expect(await hasty.offer({}, 'mine')).toBeUndefined();
		expect(await client.status()).toEqual(service.status());
	});

	test('a request that a stopping reactor has not answered has no answer', async () => {
		const [reactor, client] = [connect(), connect()];
		let asked = () => {};
		const append = () => new Promise<never>(() => asked());
		const stop = await reactor.serve({...service, append});
		const arrived = new Promise<void>(resolve => {
			asked = resolve;
		});
		const appended = client.append(event, {id: 'one'});
		await arrived;
		await stop();
		expect(await appended).toBeUndefined();
	});

	test('a subscriber is woken by the reactor and by other clients, until it unsubscribes', async () => {
		const [reactor, client, other] = [connect(), connect(), connect()];
		await reactor.serve(service);
		await other.append(event, {id: 'one'});
		const [own, one, two] = [subscribe(reactor), subscribe(client), subscribe(client)];
		await Promise.all([one.woken(0), two.woken(0)]);
		for (const waker of [reactor, other, other]) {
			const next = [one.woken(), two.woken(), ...(waker === reactor ? [] : [own.woken()])];
			waker.notify();
			await Promise.all(next);
		}
		one.unsubscribe();
		const before = one.count();
		const next = two.woken();
		other.notify();
		await next;
		expect(one.count()).toBe(before);
	});

	test('the serving process appends by itself', async () => {
		const reactor = connect();
		await reactor.serve(service);
		expect(await reactor.append(event, {id: 'one'})).toBeUndefined();
		expect(await reactor.status()).toEqual(service.status());
	});

	test('a new reactor can follow one that stopped', async () => {
		const [first, second, client] = [connect(), connect(), connect()];
		const stop = await first.serve(service);
		expect(await client.append(event, {id: 'one'})).toMatchObject({sequence: 1});
		await stop();
		await second.serve({...service, append: async () => ({ok: true, sequence: 2, duplicate: false})});
		await expect
			.poll(() => client.append(event, {id: 'two'}))
			.toEqual({ok: true, sequence: 2, duplicate: false});
	});
});
