import {StorageType} from '@nats-io/jetstream';
import {expect, test} from 'vitest';
import {expectFit} from '../../source/drivers/nats-bus/stream.ts';
import {collect} from '../contract/collect.ts';
import {callAll, event, names, openBus, openManager, startServer} from './nats-bus-rig.ts';

const unfit = (why: string) => ({
	refusal: {code: 'bus_unfit', message: expect.stringContaining(why)},
});

test.each([
	{
		what: 'whose messages are too small',
		configuration: 'max_payload: 100000',
		why: 'max_payload is 100000 bytes',
	},
	{
		what: 'without JetStream',
		configuration: 'accounts {A {users: [{user: a, password: a}]}}\nno_auth_user: a',
		why: 'JetStream',
	},
])('a server $what is refused as unfit for a colony, with the reason', async ({configuration, why}) => {
	const {port} = await startServer(configuration);
	await expect(openBus(port)).rejects.toMatchObject(unfit(why));
});

const fit = {version: '2.9.0', headers: true, jetstream: true, max_payload: 1024 * 1024};

test.each([
	{what: 'old', lack: {version: '2.8.4'}, why: '2.8.4'},
	{what: 'without headers', lack: {headers: false}, why: 'headers'},
	{what: 'started without JetStream', lack: {jetstream: false}, why: 'JetStream'},
])('a server that is $what is unfit', ({lack, why}) => {
	expect(() => expectFit('here', fit)).not.toThrow();
	expect(() => expectFit('here', {...fit, version: '2.14.1-beta'})).not.toThrow();
	expect(() => expectFit('here', {...fit, ...lack})).toThrow(why);
});

test.each([
	{what: 'forgets by age', config: {max_age: 1e12}, why: 'max_age'},
	{what: 'is in memory', config: {storage: StorageType.Memory}, why: 'storage'},
	{what: 'takes other subjects', config: {subjects: ['other.>']}, why: names.subjects},
	{what: 'holds so many only', config: {max_msgs: 10}, why: 'max_msgs'},
	{what: 'is sealed', config: {}, seal: true, why: 'sealed'},
])('a stream that $what is named as unfit, and no other stream is made', async ({config, seal, why}) => {
	const {port} = await startServer();
	const manager = await openManager(port);
	const {config: made} = await manager.streams.add({
		name: names.stream,
		subjects: [names.subjects],
		...config,
	});
	if (seal) await manager.streams.update(names.stream, {...made, sealed: true} as typeof made);
	await expect(openBus(port)).rejects.toMatchObject(unfit(why));
	await expect(openBus(port)).rejects.toMatchObject(unfit(names.stream));
	expect((await manager.streams.list().next()).map(({config: {name}}) => name)).toEqual([names.stream]);
});

test('ten processes that open an empty server at once share one log', async () => {
	const {port} = await startServer();
	const buses = await Promise.all(Array.from({length: 10}, () => openBus(port)));
	await Promise.all(buses.map((bus, index) => bus.append(event(index), {id: `${index}`})));
	const [first, ...others] = await Promise.all(buses.map(bus => collect(bus.read({after: 0}))));
	expect(first).toHaveLength(10);
	for (const other of others) expect(other).toEqual(first);
	// The server announces a new bucket slightly before the bucket accepts writes.
	for (const name of Array.from({length: 40}, (_, index) => `b${index}`)) {
		const created = await Promise.all(buses.map(bus => bus.bucket(name).create('x', '1')));
		expect(created.filter(revision => revision !== undefined)).toHaveLength(1);
	}
});

test('an account that may not create streams uses the existing ones', async () => {
	const admin = {user: 'admin', password: 'admin'};
	const bee = {user: 'bee', password: 'bee'};
	const denied = ['CREATE', 'UPDATE', 'DELETE'].map(verb => `"$JS.API.STREAM.${verb}.>"`).join();
	const {port} = await startServer(`authorization {users: [
		{user: admin, password: admin},
		{user: bee, password: bee, permissions: {publish: {deny: [${denied}]}}}
	]}`);
	await expect(openBus(port, bee)).rejects.toMatchObject({refusal: {code: 'bus_unreachable'}});
	const worked = await callAll(await openBus(port, admin));
	expect(await callAll(await openBus(port, bee))).toEqual(worked);
});
