import {expect, test} from 'vitest';
import type {Bus} from '../../source/ports/bus.ts';
import type {MachineChannel} from '../../source/ports/machine-channel.ts';
import {event, names, openBus, openOther, startServer} from './nats-bus-rig.ts';

const placesOf = ({machines: places}: Bus): MachineChannel => {
	if (places === undefined) throw new Error('This bus has no places.');
	return places;
};

const openTwo = async () => {
	const server = await startServer();
	const [asked, asker] = await Promise.all([openBus(server.port), openBus(server.port)]);
	return {server, asked, asker, there: placesOf(asker)};
};

const never = new AbortController().signal;

/** Resolves once the server knows of the new or ended subscription. */
const serve = async (bus: Bus, ...serving: Parameters<MachineChannel['serve']>): Promise<void> => {
	placesOf(bus).serve(...serving);
	await bus.last();
};

test('a place answers requests, long ones included', async () => {
	const {asked, there} = await openTwo();
	await serve(asked, 'a', async question => ({echo: question}), never);
	for (const question of [{text: 'short é'}, {text: 'x'.repeat(2_000_000)}, null, 0])
		expect(await there.ask('a', question)).toEqual({answer: {echo: question}});
});

test('a request to a place without a listener gets no answer', async () => {
	const {asked, there} = await openTwo();
	expect(await there.ask('a', 'hello')).toBeUndefined();
	const over = new AbortController();
	await serve(asked, 'a', async () => 'there', over.signal);
	expect(await there.ask('a', 'hello')).toEqual({answer: 'there'});
	expect(await there.ask('b', 'hello')).toBeUndefined();
	over.abort();
	await asked.last();
	expect(await there.ask('a', 'hello')).toBeUndefined();
});

test('closing the bus ends a request whose answer is outstanding', async () => {
	const {asked, asker, there} = await openTwo();
	let begun = (): void => {};
	const isAsked = new Promise<void>(resolve => {
		begun = resolve;
	});
	const unanswered = (): Promise<unknown> => {
		begun();
		return new Promise(() => {});
	};
	await serve(asked, 'a', unanswered, never);
	const asking = there.ask('a', 'hello');
	asking.catch(() => {});
	await isAsked;
	await asker.close();
	await expect(asking).rejects.toMatchObject({refusal: {code: 'bus_unreachable'}});
});

test('a foreign responder cannot redirect messages, and cannot remove stored objects', async () => {
	const {server, asked, asker, there} = await openTwo();
	const kept = await asked.blobs.put('kept');
	await asked.append(event('kept'), {id: 'kept'});
	const guest = await openOther(server.port);
	const purge = `$JS.API.STREAM.PURGE.${names.stream}`;
	guest.subscribe(names.machineSubject('a'), {callback: (_, message) => void message.respond(purge)});
	await guest.flush();
	expect(await there.ask('a', {})).toBeUndefined();
	expect(await asker.last()).toBe(1);
	await serve(asked, 'b', async () => 'done', never);
	const hello = await guest.request(names.machineSubject('b'));
	const subject = `${names.machineSubject('b')}.${hello.string()}`;
	const question = JSON.stringify({object: kept});
	await expect(guest.request(subject, question, {timeout: 200})).rejects.toThrow();
	expect(await asked.blobs.get(kept)).toBe('kept');
});

test('an account without permission for requests can use everything else', async () => {
	const permissions = `{publish: ">", subscribe: {allow: ["_INBOX.>"]}}`;
	const server = await startServer(
		`authorization {users: [{user: u, password: p, permissions: ${permissions}}]}`,
	);
	const bus = await openBus(server.port, {user: 'u', password: 'p'});
	await serve(bus, 'a', async () => 'there', never);
	expect(await bus.append(event(1), {id: '1'})).toMatchObject({ok: true});
	expect(await bus.last()).toBe(1);
});
