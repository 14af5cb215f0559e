import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {type JetStreamClient, jetstream, jetstreamManager} from '@nats-io/jetstream';
import {connect} from '../../source/drivers/nats-bus/connect.ts';
import {openNatsBus} from '../../source/drivers/nats-bus/nats-bus.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {BusAccess} from '../../source/ports/bus-access.ts';
import {openMachineLog, wallClock} from '../contract/bus-drivers.ts';
import {type NatsServer, startNatsServer} from '../helpers/nats-server.ts';
import {median, quantile} from './median.ts';
import {benchEvent, createIds} from './raw-log.ts';
import type {Row} from './row.ts';

const rounds = 9;

/** Rows 7 to 9 and 47 of docs/performance.md: a log on a server, which is the server of the tests. */
export const benchServerBus = async (): Promise<Row[]> => [
	...(await benchSynced().catch((error: Error) => {
		console.error(`Row 7 is not measured: ${error.message.split('\n')[0]}`);
		return [];
	})),
	...(await inFolder(unsyncedFolder, benchEmbedded({row: 8, what: 'not synced', least: 5}))),
	...(await benchClient()),
];

/** A folder where a sync costs nothing. */
const unsyncedFolder = '/dev/shm';

/** Rejects if the server cannot sync each publish, which needs a version above 2.9. */
const benchSynced = () =>
	inFolder(tmpdir(), folder => {
		const store = JSON.stringify(join(folder, 'synced'));
		const settings = `jetstream {store_dir: ${store}, sync_interval: always}`;
		return benchEmbedded({row: 7, what: 'synced', least: 2, settings})(folder);
	});

type Versus = {
	readonly row: number;
	readonly what: string;
	readonly least: number;
	/** Settings of the server. */
	readonly settings?: string;
};

/** Appends one event after the other to both, as a caller does that waits for each. */
const benchEmbedded =
	({row, what, least, settings}: Versus) =>
	async (folder: string): Promise<Row[]> => {
		const server = await startNatsServer(settings ?? `jetstream {store_dir: ${JSON.stringify(folder)}}`);
		const embedded = await openMachineLog({file: join(folder, 'log.db'), socket: join(folder, 'sock')});
		const served = await openServed(server);
		const nextId = createIds(0);
		const count = 200;
		const times = await takeTurns({
			embedded: () => appendEach(embedded.bus, count, nextId),
			served: () => appendEach(served, count, nextId),
		});
		await served.close();
		await embedded.close();
		await server.dispose();
		const ratio = medianOf(times, ({embedded, served}) => served / embedded);
		return [
			{
				...{row, ratio, target: `>= ${least}`, met: ratio >= least},
				name: `appends a second, embedded / on a server, awaited, ${what}`,
				detail: `${perSecond(count, times, 'embedded')} against ${perSecond(count, times, 'served')}, ${rounds} rounds of ${count}`,
			},
		];
	};

/** Measures hive against the client library that it uses, on one server. */
const benchClient = async (): Promise<Row[]> => {
	const server = await startNatsServer();
	const [one, other] = [await openServed(server), await openServed(server)];
	const bare = await openBare(server);
	try {
		return [
			await benchAppends('awaited one by one', one, bare, {count: 300, width: 1}),
			await benchAppends('64 traces at once', one, bare, {count: 2000, width: 64}),
			await benchWakeUp(one, other, bare),
		];
	} finally {
		await bare.close();
		await Promise.all([one.close(), other.close()]);
		await server.dispose();
	}
};

type Load = {readonly count: number; readonly width: number};

const benchAppends = async (how: string, bus: Bus, bare: Bare, {count, width}: Load): Promise<Row> => {
	const nextId = createIds(0);
	const traces = Array.from({length: width}, (_, index) => `trace-${width}-${index}`);
	const event = (index: number) => ({...benchEvent(nextId()), traceId: traces[index] ?? ''});
	const each = (append: (index: number) => Promise<unknown>) =>
		timed(() =>
			Promise.all(
				traces.map(async (_, index) => {
					for (let done = index; done < count; done += width) await append(index);
				}),
			),
		);
	const times = await takeTurns({
		hive: () => each(index => bus.append(event(index), {id: nextId()})),
		bare: () =>
			each(index => {
				const said = event(index);
				return bare.publish(said.traceId, JSON.stringify(said));
			}),
	});
	const ratio = medianOf(times, ({hive, bare}) => bare / hive);
	return {
		...{row: 9, ratio, target: '>= 0.8', met: ratio >= 0.8},
		name: `appends a second / publishes of the client alone, ${how}`,
		detail: `${perSecond(count, times, 'hive')} against ${perSecond(count, times, 'bare')}, ${rounds} rounds of ${count}`,
	};
};

/** Measures from one connection to another, with pauses between events. */
const benchWakeUp = async (emitter: Bus, follower: Bus, bare: Bare): Promise<Row> => {
	const over = new AbortController();
	const arrivals = createArrivals();
	const [hiveArrives, bareArrives] = [arrivals(), arrivals()];
	const after = await follower.last();
	const following = (async () => {
		for await (const events of follower.follow({after, signal: over.signal}))
			for (const _ of events) hiveArrives.come();
	})();
	const stop = await bare.consume(bareArrives.come);
	const nextId = createIds(1_000_000);
	const waits: {hive: number; bare: number}[] = [];
	const wait = async (arrives: typeof hiveArrives, say: () => Promise<unknown>): Promise<number> => {
		await pause(3);
		const begin = performance.now();
		const [at] = await Promise.all([arrives.next(), say()]);
		return at - begin;
	};
	for (let round = -20; round < 400; round++) {
		const id = nextId();
		const hive = await wait(hiveArrives, () => emitter.append(benchEvent(id), {id}));
		const alone = await wait(bareArrives, () => bare.publish('told', JSON.stringify(benchEvent(id))));
		if (round >= 0) waits.push({hive, bare: alone});
	}
	over.abort();
	await following;
	await stop();
	const [hive, alone] = [waits.map(({hive}) => hive), waits.map(({bare}) => bare)];
	const ratio = median(hive) / median(alone);
	const show = (times: number[]) =>
		`${median(times).toFixed(2)} (p99 ${quantile(times, 0.99).toFixed(1)}) ms`;
	return {
		...{row: 47, ratio, target: '<= 1.5', met: ratio <= 1.5},
		name: 'append until a follower has it, p50 / publish until a consumer of the client alone has it',
		detail: `${show(hive)} against ${show(alone)}, ${waits.length} rounds`,
	};
};

/** Resolves the waits for the next arrival with its time. */
const createArrivals = () => () => {
	let call: ((at: number) => void) | undefined;
	return {
		come: () => call?.(performance.now()),
		next: () =>
			new Promise<number>(resolve => {
				call = resolve;
			}),
	};
};

type Bare = {
	readonly publish: (trace: string, body: string) => Promise<unknown>;
	/**
	 * Calls the function for each message of another connection's ordered consumer. The returned function stops
	 * it.
	 */
	readonly consume: (call: () => void) => Promise<() => Promise<void>>;
	readonly close: () => Promise<void>;
};

/** Opens the client with its own stream, configured like the stream of a colony. */
const openBare = async (server: NatsServer): Promise<Bare> => {
	const connections = [await connect(accessTo(server)), await connect(accessTo(server))] as const;
	const [writer, reader]: JetStreamClient[] = connections.map(connection => jetstream(connection));
	const manager = await jetstreamManager(connections[0]);
	await manager.streams.add({name: 'BARE', subjects: ['bare.>']});
	return {
		publish: async (trace, body) => writer?.publish(`bare.${trace}`, body),
		consume: async call => {
			const consumer = await reader?.consumers.get('BARE', {filter_subjects: 'bare.told'});
			const messages = await consumer?.consume();
			const over = (async () => {
				for await (const _ of messages ?? []) call();
			})();
			return async () => {
				messages?.stop();
				await over;
			};
		},
		close: async () => {
			for (const connection of connections) await connection.close();
		},
	};
};

const accessTo = ({url}: NatsServer): BusAccess => ({servers: [url], shown: url});

const openServed = (server: NatsServer): Promise<Bus> =>
	openNatsBus({access: accessTo(server), id: 'bench', clock: wallClock});

const appendEach = (bus: Bus, count: number, nextId: () => string): Promise<number> =>
	timed(async () => {
		for (let done = 0; done < count; done++) {
			const id = nextId();
			await bus.append(benchEvent(id), {id});
		}
	});

/**
 * Returns the milliseconds of each way in each round, one way after the other. A first round compiles the
 * code and is left out.
 */
const takeTurns = async <Way extends string>(
	ways: Readonly<Record<Way, () => Promise<number>>>,
): Promise<Record<Way, number>[]> => {
	const all: Record<Way, number>[] = [];
	for (let round = 0; round <= rounds; round++) {
		const times = {} as Record<Way, number>;
		for (const way of Object.keys(ways) as Way[]) times[way] = await ways[way]();
		if (round > 0) all.push(times);
	}
	return all;
};

const medianOf = <Times>(times: readonly Times[], of: (times: Times) => number): number =>
	median(times.map(of));

const perSecond = <Way extends string>(
	count: number,
	times: readonly Readonly<Record<Way, number>>[],
	way: Way,
): string => ((count / medianOf(times, round => round[way])) * 1000).toFixed(0);

const timed = async (work: () => Promise<unknown>): Promise<number> => {
	const start = performance.now();
	await work();
	return performance.now() - start;
};

const inFolder = async <Result>(
	parent: string,
	run: (folder: string) => Promise<Result>,
): Promise<Result> => {
	const folder = await mkdtemp(join(parent, 'hive-bench-server-'));
	try {
		return await run(folder);
	} finally {
		await rm(folder, {recursive: true, force: true, maxRetries: 5});
	}
};
