import {randomUUID} from 'node:crypto';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {openNatsBus} from '../../source/drivers/nats-bus/nats-bus.ts';
import {createReactorChannel} from '../../source/drivers/reactor-channel/channel.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {ReactorService} from '../../source/ports/reactor-channel.ts';
import {serverOfWorker} from '../helpers/server-of-worker.ts';

/** An empty log under test. */
export type OpenedBus = {
	readonly bus: Bus;
	/** The same log as another process would open it, or the same bus if the driver has one process. */
	readonly peer: Bus;
	readonly dispose: () => Promise<void>;
};

export const wallClock: Clock = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	after: (milliseconds, call) => {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};

/** A reactor that answers with what it received. */
export const service: ReactorService = {
	append: async () => ({ok: true, sequence: 1, duplicate: false}),
	emit: async (raw, id) => ({raw, id}),
	answer: async () => undefined,
	status: () => ({
		pid: process.pid,
		startedAt: '2026-01-01T00:00:00.000Z',
		idle: true,
		bus: 'embedded',
		problems: [],
	}),
};

/** Opens a log of this machine as one process would, with its channel to the reactor. */
export const openMachineLog = async ({file, socket}: {file: string; socket: string}) => {
	const channel = createReactorChannel({socket, clock: wallClock});
	const bus = await openSqliteBus({file, channel, clock: wallClock});
	return {
		bus,
		channel,
		serve: (more: Partial<ReactorService> = {}) => channel.serve({...service, append: bus.append, ...more}),
		close: async () => {
			await bus.close();
			await channel.close();
		},
	};
};

export type MachineLog = Awaited<ReturnType<typeof openMachineLog>>;

const openMemory = async (): Promise<OpenedBus> => {
	const bus = createMemoryBus({clock: wallClock});
	return {bus, peer: bus, dispose: bus.close};
};

const openSqlite = async ({served}: {served: boolean}): Promise<OpenedBus> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-bus-'));
	const paths = {file: join(folder, 'log.db'), socket: join(folder, 'reactor.sock')};
	const holds = await Promise.all([openMachineLog(paths), openMachineLog(paths), openMachineLog(paths)]);
	const [{bus}, {bus: peer}, reactor] = holds;
	if (served) await reactor.serve();
	return {
		bus,
		peer,
		dispose: async () => {
			for (const hold of holds) await hold.close();
			await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
		},
	};
};

const openNats = async (): Promise<OpenedBus> => {
	const server = await serverOfWorker();
	const id = `contract-${randomUUID()}`;
	const access = {servers: [server.url], shown: `127.0.0.1:${server.port}`};
	const open = () => openNatsBus({access, id, clock: wallClock});
	const [bus, peer] = await Promise.all([open(), open()]);
	return {
		bus,
		peer,
		dispose: async () => {
			await Promise.all([bus.close(), peer.close()]);
		},
	};
};

/** Every driver that must pass the contract, one per line. */
export const busDrivers: {name: string; open: () => Promise<OpenedBus>}[] = [
	{name: 'in memory', open: openMemory},
	{name: 'SQLite, written directly', open: () => openSqlite({served: false})},
	{name: 'SQLite, through a reactor', open: () => openSqlite({served: true})},
	{name: 'NATS', open: openNats},
];
