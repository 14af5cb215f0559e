import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';

/** An empty log under test. */
export type OpenedBus = {
	readonly bus: Bus;
	/** The same log as another process would hold it; the bus itself where there is only one hold. */
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

const openMemory = async (): Promise<OpenedBus> => {
	const bus = createMemoryBus({clock: wallClock});
	return {bus, peer: bus, dispose: bus.close};
};

const openSqlite = async ({served}: {served: boolean}): Promise<OpenedBus> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-bus-'));
	const open = () =>
		openSqliteBus({file: join(folder, 'log.db'), socket: join(folder, 'reactor.sock'), clock: wallClock});
	const holds = await Promise.all([open(), open(), open()]);
	const [bus, peer, reactor] = holds;
	if (served) await reactor.serve({emit: async raw => raw, status: () => undefined});
	return {
		bus,
		peer,
		dispose: async () => {
			for (const hold of holds) await hold.close();
			await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
		},
	};
};

/** Every driver that must hold the contract: one line each. */
export const busDrivers: {name: string; open: () => Promise<OpenedBus>}[] = [
	{name: 'in memory', open: openMemory},
	{name: 'SQLite, written directly', open: () => openSqlite({served: false})},
	{name: 'SQLite, through a reactor', open: () => openSqlite({served: true})},
];
