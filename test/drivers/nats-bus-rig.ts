import {type JetStreamManager, jetstreamManager} from '@nats-io/jetstream';
import type {NatsConnection} from '@nats-io/transport-node';
import {onTestFinished} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {connect} from '../../source/drivers/nats-bus/connect.ts';
import {namesOf} from '../../source/drivers/nats-bus/names.ts';
import {openNatsBus} from '../../source/drivers/nats-bus/nats-bus.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {BusAccess} from '../../source/ports/bus-access.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {type NatsServer, startNatsServer} from '../helpers/nats-server.ts';

/** @param configuration in the server's own language */
export const startServer = async (configuration?: string): Promise<NatsServer> => {
	const server = await startNatsServer(configuration);
	onTestFinished(server.dispose);
	return server;
};

/** Id of the colony whose buses these tests open. */
const colony = 'rig';
export const names = namesOf(colony);

export const accessTo = (port: number, more: Partial<BusAccess> = {}): BusAccess => ({
	servers: [`nats://127.0.0.1:${port}`],
	shown: `127.0.0.1:${port}`,
	...more,
});

/** Opens a bus as a process does. */
export const openBus = async (port: number, more: Partial<BusAccess> = {}): Promise<Bus> => {
	const bus = await openNatsBus({access: accessTo(port, more), id: colony, clock: wallClock});
	onTestFinished(bus.close);
	return bus;
};

/** Opens a connection of a foreign client with all permissions. */
export const openOther = async (port: number, more: Partial<BusAccess> = {}): Promise<NatsConnection> => {
	const connection = await connect(accessTo(port, more));
	onTestFinished(() => connection.close());
	return connection;
};

export const openManager = async (port: number, more: Partial<BusAccess> = {}): Promise<JetStreamManager> =>
	jetstreamManager(await openOther(port, more));

export const event = (value: unknown, traceId = 'a'): NewEvent => ({
	traceId,
	type: 'SIGNAL',
	payload: {kind: 'note', value},
});

export const isUnreachable = (error: unknown): boolean => refusalOf(error)?.code === 'bus_unreachable';

const refusalOf = (error: unknown) => (error as {refusal?: {code: string}}).refusal;

/** Repeats the work until the bus is reachable. */
export const insist = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isUnreachable(error)) throw error;
			await new Promise(resolve => setTimeout(resolve, 5));
		}
	}
};

let asked = 0;

/** Begins one call of every kind; appends use new ids. */
const beginAll = (bus: Bus): Record<string, Promise<unknown>> => {
	const bucket = bus.bucket('b');
	const id = () => `call-${asked++}`;
	const read = async () => {
		for await (const _ of bus.read({after: 0}));
	};
	return {
		append: bus.append(event('call'), {id: id()}),
		appendAll: bus.appendAll([{id: id(), event: event('call')}]),
		read: read(),
		last: bus.last(),
		'last of a trace': bus.last('a'),
		heads: bus.heads(),
		forget: bus.forget('none', 1),
		get: bucket.get('x'),
		entries: bucket.entries(),
		create: bucket.create('x', '1'),
		update: bucket.update('x', '2', 1),
		delete: bucket.delete('x', 1),
		'put of a blob': bus.blobs.put('text'),
		'get of a blob': bus.blobs.get('0'.repeat(64)),
		'removal of a blob': bus.blobs.remove('0'.repeat(64)),
	};
};

/** Returns the outcome of one call of every kind: undefined for success, or the refusal. */
export const callAll = async (bus: Bus): Promise<Record<string, string | undefined>> => {
	const calls = Object.entries(beginAll(bus)).map(async ([name, call]) => {
		const outcome = await call.then(
			() => undefined,
			error => `${refusalOf(error)?.code}: ${error.message}`,
		);
		return [name, outcome] as const;
	});
	return Object.fromEntries(await Promise.all(calls));
};
