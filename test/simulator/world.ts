import type {Colony} from '../../source/colony/colony.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {createAgents} from './agents.ts';
import {randomColony} from './colony.ts';
import {type Configuration, createConfiguration} from './configuration.ts';
import type {Faults} from './faulty-bus.ts';
import {createMachine, type FakeMachine} from './machine.ts';
import {createMerges, type Merges} from './merges.ts';
import {createRandom, type Random} from './random.ts';
import {createScheduler, type Scheduler} from './scheduler.ts';
import {watchBus} from './watched-bus.ts';
import {createWork} from './work.ts';

/** Everything of one story but its people and its reactors. */
export type World = {
	readonly random: Random;
	readonly scheduler: Scheduler;
	readonly faults: Faults;
	/** The disk itself. */
	readonly store: Bus;
	/** As it is, without faults on the way; what is written to it is judged. */
	readonly bus: Bus;
	/** As people read it; the reactors miss a bee of it, and see the edits of it. */
	readonly colony: Colony;
	readonly configuration: Configuration;
	readonly machines: readonly FakeMachine[];
	readonly traceIds: readonly string[];
	readonly merges: Merges;
	/** The machines share the log, as they do on a server, and say which of them are alive. */
	readonly isShared: boolean;
	/** Two reactors of one checkout: a lock that does not hold. */
	readonly split: boolean;
	/** Promises that were broken on the way. */
	readonly breaches: string[];
};

const begins = Date.UTC(2026, 0, 1);

/** @param isShared several machines on one log, which take traces from those that fall silent */
export const createWorld = (seed: number, size: number, isShared = false): World => {
	const random = createRandom(seed);
	const scheduler = createScheduler(random, begins);
	const clock = scheduler.clockOf({name: 'agents', gone: false});
	const store: Bus = {...createMemoryBus({clock}), isShared};
	const breaches: string[] = [];
	const bus = watchBus(store, breaches);
	const colony = randomColony(random);
	const faults = randomFaults(random);
	const agentStarts = createAgents({bus, clock, random, colony});
	const configuration = createConfiguration(random, colony);
	const machines = checkoutsOf(random, isShared).map(checkout =>
		createMachine(checkout, {random, clock, work: createWork(random)}, agentStarts),
	);
	return {
		random,
		scheduler,
		faults,
		store,
		bus,
		colony,
		configuration,
		merges: createMerges({random, machines, faults, breaches, ...colony.defaults.budget}),
		machines,
		traceIds: Array.from({length: random.between(1, Math.min(3, size))}, (_, index) => `trace-${index + 1}`),
		isShared,
		split: random.chance(0.2) && !isShared,
		breaches,
	};
};

const checkoutsOf = (random: Random, isShared: boolean): readonly string[] => {
	if (isShared)
		return random.pick([
			['here', 'there'],
			['here', 'there', 'yonder'],
		]);
	return random.chance(0.2) ? ['here', 'there'] : ['here'];
};

const randomFaults = (random: Random): Faults => {
	const rate = random.pick([0, 0.005, 0.02, 0.08]);
	return {
		rate,
		conflicts: random.pick([0, 0.02, 0.1]),
		echoes: random.pick([0, 0.2]),
		deaths: random.pick([0, 0, 0.002, 0.01]),
		everFailed: rate > 0,
	};
};
