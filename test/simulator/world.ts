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
import {createStrays, withStarters} from './strays.ts';
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
	/** Traces that runs tried to begin. */
	readonly begun: ReadonlySet<string>;
	readonly merges: Merges;
	/** The machines share the log, as they do on a server, and say which of them are alive. */
	readonly isShared: boolean;
	/** Two reactors of one checkout: a lock that does not hold. */
	readonly split: boolean;
	/** Promises that were broken on the way. */
	readonly breaches: string[];
};

const begins = Date.UTC(2026, 0, 1);

export type Kind = {
	/** Several machines on one log, which take traces from those that fall silent. */
	readonly isShared?: boolean;
	/** Agents try to speak where they may not, and begin traces. */
	readonly strays?: boolean;
};

export const createWorld = (
	seed: number,
	size: number,
	{isShared = false, strays = false}: Kind = {},
): World => {
	const random = createRandom(seed);
	const scheduler = createScheduler(random, begins);
	const clock = scheduler.clockOf({name: 'agents', gone: false});
	const store: Bus = {...createMemoryBus({clock}), isShared};
	const breaches: string[] = [];
	const bus = watchBus(store, breaches);
	// Of its own, so that the stories without strays are as they were.
	const straying = createRandom(seed + 1_000_003);
	const made = randomColony(random);
	const colony = strays ? withStarters(made, straying) : made;
	const faults = randomFaults(random);
	const agentStarts = createAgents({bus, clock, random, colony});
	const configuration = createConfiguration(random, colony);
	const traceIds: string[] = [];
	const begun = new Set<string>();
	const stray = createStrays({
		...{bus, clock, colony, traceIds, random: straying},
		begins: traceId => begun.add(traceId),
	});
	const starts: typeof agentStarts = (machine, launch) => {
		agentStarts(machine, launch);
		if (strays) stray(machine, launch);
	};
	const machines = checkoutsOf(random, isShared).map(checkout =>
		createMachine(checkout, {random, clock, work: createWork(random)}, starts),
	);
	const merges = createMerges({random, machines, faults, breaches, ...colony.defaults.budget});
	for (let left = random.between(1, Math.min(3, size)); left > 0; left--)
		traceIds.push(`trace-${traceIds.length + 1}`);
	return {
		random,
		scheduler,
		faults,
		store,
		bus,
		colony,
		configuration,
		...{merges, machines, traceIds, begun},
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
