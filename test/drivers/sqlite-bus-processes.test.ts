import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {collect} from '../contract/collect.ts';
import {bundleProgram, type Peer, startPeer} from './sqlite-bus/peer.ts';

let program: Awaited<ReturnType<typeof bundleProgram>>;
let folder: string;
let peers: Peer[];

beforeAll(async () => {
	program = await bundleProgram('test/drivers/sqlite-bus/peer-program.ts');
});
afterAll(() => program.remove());
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hive-processes-'));
	peers = [];
});
afterEach(async () => {
	await Promise.all(peers.map(peer => peer.kill()));
	await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
});

const start = async () => {
	const peer = await startPeer(program.path, join(folder, 'log.db'), join(folder, 'reactor.sock'));
	peers.push(peer);
	return peer;
};

const storedIds = async () => {
	const bus = await openSqliteBus({file: join(folder, 'log.db'), clock: wallClock});
	const events = await collect(bus.read({after: 0}));
	await bus.close();
	return events.map(({id}) => id);
};

test('processes that open a new log at the same time all succeed', async () => {
	const many = await Promise.all([start(), start(), start(), start()]);
	expect(await Promise.all(many.map(peer => peer.call('open')))).toEqual([0, 0, 0, 0]);
});

test.each([
	{how: 'with no reactor', served: false},
	{how: 'through a reactor', served: true},
])('two processes append and both follow the same order without gaps, $how', async ({served}) => {
	const [one, two, reactor] = await Promise.all([start(), start(), start()]);
	if (served) await reactor.call('serve');
	const followed = [one, two, reactor].map(peer => peer.call('follow', 400));
	await Promise.all([one.call('append', 'one', 200, 4), two.call('append', 'two', 200, 4)]);
	const [first, ...others] = await Promise.all(followed);
	expect(first).toHaveLength(400);
	for (const other of others) expect(other).toEqual(first);
});

test('a reactor killed during writes loses no acknowledged event, and its clients continue by themselves', async () => {
	const [reactor, one, two] = await Promise.all([start(), start(), start()]);
	await reactor.call('serve');
	const appending = [one.call('append', 'one', 2000, 16), two.call('append', 'two', 2000, 16)];
	await Promise.all([one.acknowledges(200), two.acknowledges(200)]);
	await reactor.kill();
	const early = [...one.acknowledged, ...two.acknowledged];
	const atDeath = new Set(await storedIds());
	expect(early.filter(id => !atDeath.has(id))).toEqual([]);
	await Promise.all(appending);
	const stored = await storedIds();
	expect(stored).toHaveLength(4000);
	expect(new Set(stored).size).toBe(4000);
});

test('the reactor after a killed one replaces its socket, and notifies followers through it', async () => {
	const [dead, next, client] = await Promise.all([start(), start(), start()]);
	await dead.call('serve');
	await client.call('append', 'before', 10, 1);
	await dead.kill();
	await next.call('serve');
	const followed = client.call('follow', 20);
	await next.call('append', 'after', 10, 1);
	expect(await followed).toHaveLength(20);
});

test('processes killed during writes leave a valid log with all acknowledged events', async () => {
	const many = await Promise.all([start(), start()]);
	for (const [index, peer] of many.entries()) peer.call('append', `p${index}`, 100_000, 4).catch(() => {});
	await Promise.all(many.map(peer => peer.acknowledges(100)));
	await Promise.all(many.map(peer => peer.kill()));
	const stored = new Set(await storedIds());
	for (const peer of many) expect([...peer.acknowledged].filter(id => !stored.has(id))).toEqual([]);
});

test('a process that closed its bus exits by itself, and one that follows stays until it is done', async () => {
	const [closing, following] = await Promise.all([start(), start()]);
	await closing.call('append', 'one', 5, 1);
	following.send('followThenAppend', 6, 'followed');
	following.child.disconnect();
	await closing.call('close');
	const ended = once(closing.child, 'exit');
	closing.child.disconnect();
	expect(await ended).toEqual([0, null]);
	const last = await start();
	await last.call('append', 'two', 1, 1);
	expect(await last.call('follow', 7)).toContain('7 followed');
});
