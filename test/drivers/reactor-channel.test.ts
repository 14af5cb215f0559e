import {once} from 'node:events';
import {mkdtemp, rename, rm, stat, writeFile} from 'node:fs/promises';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {addressOfListener} from '../../source/drivers/private-socket/address.ts';
import {createReactorChannel} from '../../source/drivers/reactor-channel/channel.ts';
import {type MachineLog, openMachineLog, service, wallClock} from '../contract/bus-drivers.ts';
import {collect} from '../contract/collect.ts';

let folder: string;
let socket: string;
let log: MachineLog;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hive-socket-'));
	socket = join(folder, 'reactor.sock');
	log = await openMachineLog({file: join(folder, 'log.db'), socket});
});
afterEach(async () => {
	await log.close();
	await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
});

const event = (value: unknown) => ({traceId: 'a', type: 'SIGNAL' as const, payload: {kind: 'note', value}});
const appendLine = (n: number) => JSON.stringify({v: 1, n, op: 'append', id: `${n}`, event: event(n)});

/** A connection that sends lines and receives responses one by one. */
const dial = async () => {
	const connection = connect(socket);
	const lines = createInterface(connection)[Symbol.asyncIterator]();
	await once(connection, 'connect');
	return {
		connection,
		say: (text: string) => connection.write(`${text}\n`),
		receive: async () => JSON.parse((await lines.next()).value),
	};
};

test('appends of one turn are one commit, with many responses and one notification', async () => {
	await log.serve();
	const [listener, emitter] = await Promise.all([dial(), dial()]);
	listener.say('{"v":1,"n":1,"op":"listen"}');
	expect(await listener.receive()).toEqual({n: 1, ok: true});
	emitter.say(Array.from({length: 50}, (_, index) => appendLine(index + 1)).join('\n'));
	for (let n = 1; n <= 50; n++)
		expect(await emitter.receive()).toEqual({n, ok: true, value: {ok: true, sequence: n, duplicate: false}});
	listener.say('{"v":1,"n":2,"op":"ping"}');
	expect(await listener.receive()).toEqual({poke: true});
	expect(await listener.receive()).toMatchObject({n: 2});
	expect(await collect(log.bus.read({after: 0}))).toHaveLength(50);
});

test('a listener that does not read has one pending notification, and is notified of later changes', async () => {
	await log.serve();
	const [listener, other] = await Promise.all([dial(), dial()]);
	listener.say('{"v":1,"n":1,"op":"listen"}');
	expect(await listener.receive()).toEqual({n: 1, ok: true});
	listener.connection.pause();
	const changes = 5000;
	for (let n = 1; n <= changes; n++) {
		other.say(`{"v":1,"n":0,"op":"changed"}\n{"v":1,"n":${n},"op":"ping"}`);
		expect(await other.receive()).toMatchObject({n, ok: true});
	}
	listener.connection.resume();
	let wakes = 0;
	listener.say('{"v":1,"n":2,"op":"ping"}');
	while ('poke' in (await listener.receive())) wakes += 1;
	expect(wakes).toBeGreaterThan(0);
	// Notifications in the kernel's buffer have already left the process.
	expect(wakes).toBeLessThan(changes / 2);
	other.say('{"v":1,"n":0,"op":"changed"}');
	expect(await listener.receive()).toEqual({poke: true});
	listener.connection.destroy();
	other.connection.destroy();
});

test.each([
	['not json', 'not json', 'not one JSON object'],
	['an array', '[1]', 'not one JSON object'],
	['another version', '{"v":2,"n":7,"op":"ping"}', 'speaks version 1'],
	['an unknown request', '{"v":1,"n":7,"op":"dance"}', '"dance"'],
	['an append without id', '{"v":1,"n":7,"op":"append","event":{}}', 'not complete'],
	[
		'an append of no event',
		'{"v":1,"n":7,"op":"append","id":"x","event":{"traceId":"a","type":"NOISE"}}',
		'not complete',
	],
])('a request with %s is answered with an error, and the connection stays open', async (_, line, message) => {
	await log.serve();
	const {say, receive, connection} = await dial();
	say(line);
	expect(await receive()).toMatchObject({
		ok: false,
		error: {code: 'usage', message: expect.stringContaining(message)},
	});
	say(appendLine(8));
	expect(await receive()).toMatchObject({n: 8, ok: true});
	connection.destroy();
});

test('a line above 1 MiB closes its connection and no other', async () => {
	await log.serve();
	const [large, other] = await Promise.all([dial(), dial()]);
	large.connection.on('error', () => {});
	const closed = once(large.connection, 'close');
	large.connection.write('x'.repeat(1024 * 1024 + 1));
	await closed;
	other.say(appendLine(1));
	expect(await other.receive()).toMatchObject({ok: true});
	other.connection.destroy();
});

test('the socket is accessible only to its owner, and replaces one that a dead reactor left', async () => {
	await writeFile(socket, '');
	await log.serve();
	const {mode} = await stat(socket);
	expect(mode & 0o777).toBe(0o600);
	expect(await log.channel.status()).toMatchObject({pid: process.pid});
});

test('a socket path of any length works', async () => {
	const long = join(folder, 'deep'.repeat(40), 'reactor.sock');
	const reactor = await openMachineLog({file: join(folder, 'log.db'), socket: long});
	const stop = await reactor.serve();
	const client = createReactorChannel({socket: long, clock: wallClock});
	expect(await client.status()).toMatchObject({pid: process.pid});
	const address = (await addressOfListener(long)) ?? '';
	expect((await stat(address)).mode & 0o777).toBe(0o600);
	await stop();
	await expect(stat(address)).rejects.toThrow('ENOENT');
	await reactor.close();
});

test('a channel skips an absent reactor for a moment, then finds a new one', async () => {
	let elapsed = 0;
	const client = createReactorChannel({socket, clock: {...wallClock, elapsed: () => elapsed}});
	const attempt = (id: string) => client.append(event(id), {id});
	expect(await attempt('one')).toBeUndefined();
	await log.serve();
	expect(await attempt('two')).toBeUndefined();
	elapsed += 1000;
	expect(await attempt('three')).toMatchObject({ok: true});
	expect((await collect(log.bus.read({after: 0}))).map(({id}) => id)).toEqual(['three']);
	await client.close();
});

test.each(['not json', '1', 'null', '[]', '{"n":1,"ok":"yes"}', '{"n":1,"ok":false,"error":"no"}'])(
	'a listener that answers %s is not taken for a reactor',
	async line => {
		const stranger = createServer(connection => {
			connection.on('data', () => connection.write(`${line}\n`)).on('error', () => {});
		}).listen(socket);
		await once(stranger, 'listening');
		const client = createReactorChannel({socket, clock: wallClock});
		expect(await client.status()).toBeUndefined();
		expect(await client.offer({}, 'mine')).toBeUndefined();
		expect(await client.append(event(1), {id: 'one'})).toBeUndefined();
		await client.close();
		stranger.close();
	},
);

test('an append to an unresponsive reactor goes to the store after a timeout, and the next append at once', async () => {
	let calls = 0;
	const silent = createServer(() => {
		calls += 1;
	}).listen(socket);
	await once(silent, 'listening');
	expect(await log.bus.append(event(1), {id: 'one'})).toMatchObject({ok: true, sequence: 1});
	expect(await log.bus.append(event(2), {id: 'two'})).toMatchObject({ok: true, sequence: 2});
	expect(calls).toBe(1);
	silent.close();
});

test('a serving reactor uses no timer to poll its own store', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	try {
		const channel = createReactorChannel({socket: join(folder, 'own.sock'), clock: wallClock});
		const before = channel.subscribe(() => {});
		await expect.poll(vi.getTimerCount).toBe(1);
		const stop = await channel.serve(service);
		const during = channel.subscribe(() => {});
		expect(vi.getTimerCount()).toBe(0);
		await stop();
		await expect.poll(vi.getTimerCount).toBe(1);
		before();
		during();
		expect(vi.getTimerCount()).toBe(0);
		await channel.close();
	} finally {
		vi.useRealTimers();
	}
});

test('a subscriber requests the status on its existing connection', async () => {
	await log.serve();
	const client = createReactorChannel({socket, clock: wallClock});
	await new Promise<void>(heard => client.subscribe(heard));
	expect(await client.status()).toEqual(service.status());
	await rename(socket, join(folder, 'elsewhere.sock'));
	expect(await client.status()).toEqual(service.status());
	await client.close();
	expect(await client.status()).toBeUndefined();
});

test('a connected subscriber is notified only by its reactor, and looks for the next one after its end', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	let elapsed = 0;
	const client = createReactorChannel({socket, clock: {...wallClock, elapsed: () => (elapsed += 1000)}});
	let wakes = 0;
	client.subscribe(() => {
		wakes += 1;
	});
	try {
		for (let reactors = 0; reactors < 2; reactors++) {
			await expect.poll(vi.getTimerCount).toBe(1);
			const before = wakes;
			const stop = await log.serve();
			vi.runOnlyPendingTimers();
			await expect.poll(() => wakes).toBeGreaterThan(before);
			await expect.poll(vi.getTimerCount).toBe(0);
			await stop();
		}
	} finally {
		vi.useRealTimers();
		await client.close();
	}
});
