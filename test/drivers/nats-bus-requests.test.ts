import {expect, onTestFinished, test} from 'vitest';
import {busOn} from '../../source/drivers/nats-bus/nats-bus.ts';
import {createNatsClient} from '../../source/drivers/nats-bus/nats-client.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {collect} from '../contract/collect.ts';
import {event, names, openBus, openOther, startServer} from './nats-bus-rig.ts';

/** Opens a bus, with a function that counts its messages to the server. */
const open = async (port: number) => {
	const connection = await openOther(port);
	const link = await createNatsClient(connection, {clock: wallClock, address: '', check: async () => {}});
	const bus = busOn({nats: link, connection, names, noteSequence: () => {}});
	onTestFinished(bus.close);
	const requestsOf = async (work: () => Promise<unknown>): Promise<number> => {
		const {outMsgs} = connection.stats();
		await work();
		return connection.stats().outMsgs - outMsgs;
	};
	return {bus, requestsOf};
};

test('a bucket is looked up once, and then costs one request per call', async () => {
	const {port} = await startServer();
	await openBus(port);
	const {bus, requestsOf} = await open(port);
	const first = await requestsOf(() => bus.bucket('b').get('x'));
	expect(first).toBeGreaterThan(1);
	expect(await requestsOf(() => bus.bucket('b').create('x', 'value'))).toBe(1);
	expect(await requestsOf(() => bus.bucket('b').get('x'))).toBe(1);
});

test('few events of a trace are requested one by one, and many are not', async () => {
	const {port} = await startServer();
	const writer = await openBus(port);
	const {bus, requestsOf} = await open(port);
	const says = async (count: number, traceId: string) => {
		for (let index = 0; index < count; index++)
			await writer.append(event(index, traceId), {id: `${traceId}/${index}`});
	};
	const valuesOf = async (traceId: string) =>
		(await collect(bus.read({traceId, after: 0}))).map(({payload}) => payload.value);
	await says(3, 'few');
	await says(100, 'many');
	expect(await requestsOf(() => valuesOf('few'))).toBe(4);
	expect(await valuesOf('few')).toEqual([0, 1, 2]);
	expect(await requestsOf(() => valuesOf('many'))).toBeLessThan(20);
	expect(await valuesOf('many')).toEqual(Array.from({length: 100}, (_, index) => index));
});
