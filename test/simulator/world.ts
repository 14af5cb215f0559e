import type {Colony} from '../../source/colony/colony.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {createAgents} from './agents.ts';
import {type Bases, createBases} from './bases.ts';
import {randomColony, withRequiredChecks} from './colony.ts';
import {type Configuration, createConfiguration} from './configuration.ts';
import type {Faults} from './faulty-bus.ts';
import {createMachine, type FakeMachine} from './machine.ts';
import {createMerges, type Merges} from './merges.ts';
import {createRandom, type Random} from './random.ts';
import {createScheduler, type Scheduler} from './scheduler.ts';
import {createStrays, withStarters} from './strays.ts';
import {watchBus} from './watched-bus.ts';
import {createWork} from './work.ts';

/** All parts of one story except its people and its reactors. */
export type World = {
	readonly random: Random;
	readonly scheduler: Scheduler;
	readonly faults: Faults;
	/** The disk itself. */
	readonly store: Bus;
	/** The bus without faults. All writes to it are checked. */
	readonly bus: Bus;
	/** The colony as people read it. The reactors lack one of its bees, and see edits of it. */
	readonly colony: Colony;
	readonly configuration: Configuration;
	readonly machines: readonly FakeMachine[];
	readonly traceIds: readonly string[];
	/** The traces that runs tried to start. */
	readonly begun: ReadonlySet<string>;
	readonly merges: Merges;
	/** Both are undefined in stories without landings. */
	readonly bases: Bases | undefined;
	readonly landing: Random | undefined;
	/** True if the machines share the log, as on a server, and report which of them are alive. */
	readonly isShared: boolean;
	/** True if one checkout has two reactors, as with a lock that does not hold. */
	readonly split: boolean;
	/** The promises that were broken during the story. */
	readonly breaches: string[];
};

const begins = Date.UTC(2026, 0, 1);

export type Kind = {
	/** Simulates several machines on one log, which take traces from silent machines. */
	readonly isShared?: boolean;
	/** Lets agents try to emit into foreign traces, and start traces. */
	readonly strays?: boolean;
	/** Makes every merge pass checks in the landing queue, while people commit to the base. */
	readonly landings?: boolean;
};

export const createWorld = (
	seed: number,
	size: number,
	{isShared = false, strays = false, landings = false}: Kind = {},
): World => {
	const random = createRandom(seed);
	const scheduler = createScheduler(random, begins);
	const clock = scheduler.clockOf({name: 'agents', gone: false});
	const store: Bus = {...createMemoryBus({clock}), isShared};
	const breaches: string[] = [];
	const bus = watchBus(store, breaches);
	// Strays have their own random source, so that stories without strays stay the same.
	const straying = createRandom(seed + 1_000_003);
	const made = randomColony(random);
	// So do landings.
	const landing = landings ? createRandom(seed + 2_000_003) : undefined;
	const started = strays ? withStarters(made, straying) : made;
	const colony = landing === undefined ? started : withRequiredChecks(started, landing);
	const bases = landings ? createBases(colony.root) : undefined;
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
	const merges = createMerges({random, machines, bases, faults, breaches, ...colony.defaults.budget});
	for (let left = random.between(1, Math.min(3, size)); left > 0; left--)
		traceIds.push(`trace-${traceIds.length + 1}`);
	// A queue needs more than one.
	if (landings) for (let left = 2; left > 0; left--) traceIds.push(`trace-${traceIds.length + 1}`);
	return {
		random,
		scheduler,
		faults,
		store,
		bus,
		colony,
		configuration,
		...{merges, machines, traceIds, begun, bases, landing},
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
