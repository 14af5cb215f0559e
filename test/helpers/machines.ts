import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {openNatsBus} from '../../source/drivers/nats-bus/nats-bus.ts';
import {type ColonyOnDisk, createColony, openColony} from './colony-on-disk.ts';
import type {NatsServer} from './nats-server.ts';
import type {Connection} from './network.ts';
import {openRepository} from './repository.ts';

/** Opens the log of a colony on a server, with its buckets. The caller closes it. */
export const openLogOf = async (colony: ColonyOnDisk, {url, port}: NatsServer) => {
	const {id} = JSON.parse(await colony.read('.hive/colony.yaml')) as {id: string};
	const access = {servers: [url], shown: `127.0.0.1:${port}`};
	return openNatsBus({access, id, clock: createSystemClock()});
};

type Scene = Parameters<typeof createColony>[0];

/**
 * Creates one colony on several machines, each with its own home and clone. The notes and gates of all agents
 * are in the first home.
 */
export const createMachines = async (
	server: NatsServer,
	links: readonly (Pick<Connection, 'url'> & Partial<Connection>)[],
	scene: Scene,
): Promise<readonly [ColonyOnDisk, ...ColonyOnDisk[]]> => {
	const [{url, under}, ...more] = links as readonly [Connection, ...Connection[]];
	const made = await createColony({...scene, bus: {...server, url}});
	const others: ColonyOnDisk[] = [];
	for (const link of more) {
		others.push(await openClone(made, link));
	}
	return [openColony(made, made.home, {HIVE_BUS_URL: url}, under), ...others];
};

/** Adds another machine with its own clone to the colony. */
export const openClone = async (
	made: ColonyOnDisk,
	{url, under}: Pick<Connection, 'url'> & Partial<Connection>,
): Promise<ColonyOnDisk> => {
	const root = join(await folder('clone'), 'shop');
	await made.git(['clone', '--quiet', made.root, root]);
	const clone = openRepository(root);
	await clone.git(['config', 'user.name', 'Bob']);
	await clone.git(['config', 'user.email', 'bob@example.org']);
	const other = openColony(clone, await folder('home'), {HIVE_BUS_URL: url}, under);
	await other.ask(['init']);
	return other;
};

/** Creates a folder that is removed when the test ends. */
const folder = async (name: string): Promise<string> => {
	const made = await mkdtemp(join(tmpdir(), `hive-${name}-`));
	onTestFinished(() => rm(made, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	return made;
};

export type Status = {
	readonly reactors: readonly {readonly place: string; readonly here: boolean}[];
	/** The other machines. */
	readonly places: readonly {readonly place: string; readonly root: string; readonly alive: boolean}[];
	readonly traces: readonly {
		readonly traceId: string;
		readonly place?: string;
		readonly tasks: readonly {readonly taskId: string; readonly status: string}[];
	}[];
};

export const statusOf = (colony: ColonyOnDisk): Promise<Status> => colony.ask<Status>(['status']);

/** Returns the id of the checkout. */
export const machineOf = async ({home}: ColonyOnDisk): Promise<string> =>
	(await readFile(join(home, '.config/hive/scratch/place'), 'utf8')).trim();

/** Creates a trace with these tasks in a queue, and returns its id. */
export const createTasks = async (colony: ColonyOnDisk, ...taskIds: readonly string[]): Promise<string> => {
	const tasks = taskIds.map((taskId, index) => ({
		...{taskId, title: `Make ${taskId}`},
		dependsOn: taskIds.slice(Math.max(0, index - 1), index),
	}));
	const {traceId} = await colony.ask<{traceId: string}>(['task', 'create', '--plan', '-'], {
		input: JSON.stringify({tasks}),
	});
	return traceId;
};

/** Resolves once a machine shows the reactor of another machine as alive, or as not alive. */
export const showsAlive = async (by: ColonyOnDisk, {root}: ColonyOnDisk, alive: boolean): Promise<void> => {
	await expect
		.poll(async () => (await statusOf(by)).places.find(place => place.root === root)?.alive)
		.toBe(alive);
};

/** Starts the reactor of a machine, and resolves once the other machine sees it. */
export const startReactor = async (colony: ColonyOnDisk, seenBy: ColonyOnDisk) => {
	const reactor = colony.follow(['run']);
	await reactor.says('runs here');
	await showsAlive(seenBy, colony, true);
	return reactor;
};
