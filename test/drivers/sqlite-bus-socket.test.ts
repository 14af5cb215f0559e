import {once} from 'node:events';
import {mkdtemp, rm, stat, writeFile} from 'node:fs/promises';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {HiveError} from '../../source/domain/errors.ts';
import {callReactor} from '../../source/drivers/sqlite-bus/call-reactor.ts';
import {createLink} from '../../source/drivers/sqlite-bus/link.ts';
import {socketAddress} from '../../source/drivers/sqlite-bus/socket-address.ts';
import {openSqliteBus, type SqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {collect} from '../contract/collect.ts';

let folder: string;
let socket: string;
let bus: SqliteBus;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hive-socket-'));
	socket = join(folder, 'reactor.sock');
	bus = await openSqliteBus({file: join(folder, 'log.db'), socket, clock: wallClock});
});
afterEach(async () => {
	await bus.close();
	await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
});

const event = (value: unknown) => ({traceId: 'a', type: 'SIGNAL' as const, payload: {kind: 'note', value}});
const handlers = {emit: async (raw: unknown, id: unknown) => ({raw, id}), status: () => ({busy: false})};
const appendLine = (n: number) => JSON.stringify({v: 1, n, op: 'append', id: `${n}`, event: event(n)});

/** A connection that says lines and reads answers one by one. */
const dial = async () => {
	const connection = connect(await socketAddress(socket));
	const lines = createInterface(connection)[Symbol.asyncIterator]();
	await once(connection, 'connect');
	return {
		connection,
		say: (text: string) => connection.write(`${text}\n`),
		hear: async () => JSON.parse((await lines.next()).value),
	};
};

test('a small client emits and asks for the status; with nobody there it gets nothing', async () => {
	expect(await callReactor(socket, {op: 'ping'}, 1000)).toBeUndefined();
	const stop = await bus.serve(handlers);
	expect(await callReactor(socket, {op: 'ping'}, 1000)).toMatchObject({ok: true, value: {busy: false}});
	expect(await callReactor(socket, {op: 'emit', event: {any: 'thing'}, id: 'mine'}, 1000)).toMatchObject({
		ok: true,
		value: {raw: {any: 'thing'}, id: 'mine'},
	});
	await stop();
	expect(await callReactor(socket, {op: 'ping'}, 1000)).toBeUndefined();
});

test('an emit that the reactor refuses is answered with the code, the message and the next step', async () => {
	const emit = async () => {
		throw new HiveError('schema_validation_failed', {message: 'payload.kind is missing.'});
	};
	await bus.serve({...handlers, emit});
	expect(await callReactor(socket, {op: 'emit', event: {}}, 1000)).toMatchObject({
		ok: false,
		error: {code: 'schema_validation_failed', message: 'payload.kind is missing.', hint: expect.any(String)},
	});
});

test('a reactor that does not answer in time leaves the small client with nothing', async () => {
	await bus.serve({...handlers, emit: () => new Promise(() => {})});
	expect(await callReactor(socket, {op: 'emit', event: {}}, 20)).toBeUndefined();
});

test('appends of one turn are one commit: many answers, one poke', async () => {
	await bus.serve(handlers);
	const [listener, emitter] = await Promise.all([dial(), dial()]);
	listener.say('{"v":1,"n":1,"op":"listen"}');
	expect(await listener.hear()).toEqual({n: 1, ok: true});
	emitter.say(Array.from({length: 50}, (_, index) => appendLine(index + 1)).join('\n'));
	for (let n = 1; n <= 50; n++)
		expect(await emitter.hear()).toEqual({n, ok: true, value: {ok: true, sequence: n, duplicate: false}});
	listener.say('{"v":1,"n":2,"op":"ping"}');
	expect(await listener.hear()).toEqual({poke: true});
	expect(await listener.hear()).toMatchObject({n: 2});
	expect(await collect(bus.read({after: 0}))).toHaveLength(50);
});

test('a listener that does not read is owed one poke for all the news, and is told of what comes later', async () => {
	await bus.serve(handlers);
	const [listener, other] = await Promise.all([dial(), dial()]);
	listener.say('{"v":1,"n":1,"op":"listen"}');
	expect(await listener.hear()).toEqual({n: 1, ok: true});
	listener.connection.pause();
	const changes = 5000;
	for (let n = 1; n <= changes; n++) {
		other.say(`{"v":1,"n":0,"op":"changed"}\n{"v":1,"n":${n},"op":"ping"}`);
		expect(await other.hear()).toMatchObject({n, ok: true});
	}
	listener.connection.resume();
	let pokes = 0;
	listener.say('{"v":1,"n":2,"op":"ping"}');
	while ('poke' in (await listener.hear())) pokes += 1;
	expect(pokes).toBeGreaterThan(0);
	// What the kernel holds for the listener has left the process.
	expect(pokes).toBeLessThan(changes / 2);
	other.say('{"v":1,"n":0,"op":"changed"}');
	expect(await listener.hear()).toEqual({poke: true});
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
])('%s is answered with an error, and the connection stays', async (_, line, message) => {
	await bus.serve(handlers);
	const {say, hear, connection} = await dial();
	say(line);
	expect(await hear()).toMatchObject({
		ok: false,
		error: {code: 'usage', message: expect.stringContaining(message)},
	});
	say(appendLine(8));
	expect(await hear()).toMatchObject({n: 8, ok: true});
	connection.destroy();
});

test('a line of more than 1 MiB ends its connection and no other', async () => {
	await bus.serve(handlers);
	const [large, other] = await Promise.all([dial(), dial()]);
	large.connection.on('error', () => {});
	const closed = once(large.connection, 'close');
	large.connection.write('x'.repeat(1024 * 1024 + 1));
	await closed;
	other.say(appendLine(1));
	expect(await other.hear()).toMatchObject({ok: true});
	other.connection.destroy();
});

test('the socket is for its owner only, and replaces a file that a dead reactor left', async () => {
	await writeFile(socket, '');
	await bus.serve(handlers);
	const {mode} = await stat(socket);
	expect(mode & 0o777).toBe(0o600);
	expect(await callReactor(socket, {op: 'ping'}, 1000)).toMatchObject({ok: true});
});

test('a socket path of any length works', async () => {
	const long = join(folder, 'deep'.repeat(40), 'reactor.sock');
	const reactor = await openSqliteBus({file: join(folder, 'log.db'), socket: long, clock: wallClock});
	const stop = await reactor.serve(handlers);
	expect(await callReactor(long, {op: 'ping'}, 1000)).toMatchObject({ok: true});
	expect((await stat(await socketAddress(long))).mode & 0o777).toBe(0o600);
	await stop();
	await expect(stat(await socketAddress(long))).rejects.toThrow('ENOENT');
	await reactor.close();
});

test('a link leaves an absent reactor alone for a moment, then finds the one that came', async () => {
	let elapsed = 0;
	const clock: Clock = {...wallClock, elapsed: () => elapsed};
	const link = createLink(socket, clock, () => {});
	const attempt = (id: string) => link.append(event(id), {id, after: undefined});
	expect(await attempt('one')).toBeUndefined();
	await bus.serve(handlers);
	expect(link.isWorthTrying()).toBe(false);
	expect(await attempt('two')).toBeUndefined();
	elapsed += 1000;
	expect(await attempt('three')).toMatchObject({ok: true});
	expect((await collect(bus.read({after: 0}))).map(({id}) => id)).toEqual(['three']);
	link.end();
});

test('an append to a reactor that has stopped answering goes to the store in the end, and the next one at once', async () => {
	let calls = 0;
	const silent = createServer(() => {
		calls += 1;
	}).listen(socket);
	await once(silent, 'listening');
	expect(await bus.append(event(1), {id: 'one'})).toMatchObject({ok: true, sequence: 1});
	expect(await bus.append(event(2), {id: 'two'})).toMatchObject({ok: true, sequence: 2});
	expect(calls).toBe(1);
	silent.close();
});
